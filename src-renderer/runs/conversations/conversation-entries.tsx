import { showRunNow } from '#renderer/runs/model/open-run.ts';
import { shortRunName } from '#renderer/runs/model/run-name.ts';
import { runListStore } from '#renderer/runs/model/run-stores.ts';
import { VisibleText } from '#renderer/ui/controls/visible-text.tsx';
import type { ConversationEntry, MessagePart } from '#shared/run/message.ts';
import styles from './conversation-dialog.module.css';
import { showConversation } from './conversations-store.ts';
import { texts } from './texts.ts';

/** The messages of a kept conversation as people read them. Each leads to the step that made it. */
export function ConversationEntries({ entries }: { entries: readonly ConversationEntry[] }) {
  const replaced = entries.flatMap(({ entry }) => (entry.replaces ? [entry.replaces] : []));
  return (
    <ol className={styles.entries}>
      {entries.map((message) => {
        const { entry, role, content } = message;
        const isReplaced = entry.kind === 'message' && replaced.some(([from, to]) => entry.position >= from && entry.position <= to);
        return (
          <li key={entry.entry_id} className={styles.entry} data-role={role} data-replaced={isReplaced}>
            <h3 className={styles.heading}>
              {entry.replaces ? texts.summaryOf(...entry.replaces) : texts.roles[role]}
              <span className={styles.note} title={new Date(entry.created_at).toLocaleString()}>
                {entry.node}
              </span>
              <button type="button" className={styles.source} onClick={() => void showSource(message)}>
                {texts.source(shortRunName(entry.run_id), entry.seq)}
              </button>
            </h3>
            {isReplaced && <p className={styles.note}>{texts.replaced}</p>}
            {content.map((part, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: parts of a message do not move
              <Part key={index} part={part} />
            ))}
          </li>
        );
      })}
    </ol>
  );
}

/** Shows the run of an entry as it was after the step that made it. */
async function showSource({ entry: { run_id, seq } }: ConversationEntry): Promise<void> {
  const run = runListStore.getState().runs.find((each) => each.run_id === run_id);
  if (!run) return;
  showConversation(null);
  await showRunNow(run, seq);
}

function Part({ part }: { part: MessagePart }) {
  if (part.type === 'text' || part.type === 'reasoning')
    return (
      <p className={styles.text} data-type={part.type}>
        <VisibleText text={part.text} />
      </p>
    );
  if (part.type === 'image') return <img className={styles.image} alt="" src={`data:${part.media_type};base64,${part.data}`} />;
  const [title, value] = part.type === 'tool_call' ? [texts.called(part.tool), part.input] : [texts.result(part.tool), part.result];
  return (
    <details className={styles.call}>
      <summary>{title}</summary>
      <pre>{JSON.stringify(value, null, 2)}</pre>
    </details>
  );
}
