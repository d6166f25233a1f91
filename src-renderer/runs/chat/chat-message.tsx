import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import type { NodeTitles } from '#renderer/document/graph/node-titles.ts';
import { ToolCallItem } from '#renderer/runs/debugger/tool-call-item.tsx';
import { showRunNow } from '#renderer/runs/model/open-run.ts';
import { shortRunName } from '#renderer/runs/model/run-name.ts';
import { runListStore } from '#renderer/runs/model/run-stores.ts';
import { VisibleText } from '#renderer/ui/controls/visible-text.tsx';
import type { Entry } from '#shared/run/message.ts';
import styles from './chat-panel.module.css';
import type { ChatRow } from './chat-rows.ts';
import { texts } from './texts.ts';

interface ChatMessageProps {
  readonly row: ChatRow;
  /** The call that waits for an answer. */
  readonly waiting: string | undefined;
  readonly titles: NodeTitles;
  /** Of a summary: its originals are shown. */
  readonly open: boolean;
  onToggle(): void;
}

/** A message with its calls, or a summary as a line that opens the messages that it stands for. It leads to the step that made it. */
export function ChatMessage({ row: { entry, block, replaced }, waiting, titles, open, onToggle }: ChatMessageProps) {
  const Chevron = open ? IconChevronDown : IconChevronRight;
  const role = entry.replaces ? 'summary' : block.role;
  return (
    <div className={styles.message} data-role={role} data-replaced={replaced}>
      {entry.replaces && (
        <button type="button" className={styles.summary} aria-expanded={open} onClick={onToggle}>
          <Chevron size={13} aria-hidden="true" />
          {texts.summary(...entry.replaces)} · {open ? texts.hideOriginals : texts.originals}
        </button>
      )}
      <div className={styles.heading}>
        {role === 'user' ? texts.you : role === 'system' ? texts.system : titles(entry.node)}
        {block.incomplete && <span className={styles.cut}>{texts.cut}</span>}
        <button
          type="button"
          className={styles.step}
          title={texts.stepHint(shortRunName(entry.run_id))}
          onClick={() => void showSource(entry)}
        >
          {texts.step(entry.seq)}
        </button>
      </div>
      {block.items.map((item, index) => {
        if (item.type === 'call')
          // biome-ignore lint/suspicious/noArrayIndexKey: parts of a message do not move
          return <ToolCallItem key={index} call={item.call} waiting={!block.incomplete && item.call.tool_call_id === waiting} />;
        if (item.type === 'image')
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            <img key={index} className={styles.image} alt={texts.image} src={`data:${item.media_type};base64,${item.data}`} />
          );
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <div key={index} className={styles.bubble} data-type={item.type}>
            {item.type === 'reasoning' && <strong>{texts.reasoning} </strong>}
            <VisibleText text={item.text} />
          </div>
        );
      })}
    </div>
  );
}

/** Shows the run of an entry as it was after the step that made it. */
async function showSource({ run_id, seq }: Entry): Promise<void> {
  const run = runListStore.getState().runs.find((each) => each.run_id === run_id);
  if (run) await showRunNow(run, seq);
}
