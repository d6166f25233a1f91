import { Button } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef, useState } from 'react';
import { type NodeTitles, nodeTitlesOf } from '#renderer/document/graph/node-titles.ts';
import { useFollowEnd } from '#renderer/runs/debugger/use-follow-end.ts';
import { SuspensionCard } from '#renderer/runs/inbox/suspension-card.tsx';
import { cardOf } from '#renderer/runs/inbox/waiting-panel.tsx';
import type { RunView } from '#renderer/runs/model/run-fold.ts';
import { VisibleText } from '#renderer/ui/controls/visible-text.tsx';
import { FailureText } from '#renderer/ui/values/failure-text.tsx';
import type { ConversationEntry } from '#shared/run/message.ts';
import { ChatMessage } from './chat-message.tsx';
import styles from './chat-panel.module.css';
import { chatRows } from './chat-rows.ts';
import { texts } from './texts.ts';
import { useSpoken } from './use-spoken.ts';

interface ChatMessagesProps {
  readonly name: string;
  readonly entries: readonly ConversationEntry[];
  /** The run that is in the middle of the conversation, or was. */
  readonly view: RunView | null;
  /** A message that was sent and is no entry yet. */
  readonly pending: string | null;
  /** Reads the messages before these; absent if there are none. */
  onEarlier?(): void;
}

/** The text that agents of a run are writing. */
function writtenBy(view: RunView | null): string {
  if (!view) return '';
  const working = [...Object.values(view.ahead), ...(view.activity ? [view.activity] : [])];
  return working.flatMap(({ kind, text }) => (kind === 'agent' && text !== '' ? [text] : [])).join('\n\n');
}

/** The messages of a chat, then what is being written and asked. Only the messages in sight are mounted. */
export function ChatMessages({ name, entries, view, pending, onEarlier }: ChatMessagesProps) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const all = useMemo(() => chatRows(entries), [entries]);
  const open = all.flatMap(({ entry }) => (entry.replaces && opened.has(entry.entry_id) ? [entry.replaces] : []));
  const rows = all.filter(
    ({ entry: { position }, replaced }) => !replaced || open.some(([from, to]) => position >= from && position <= to),
  );
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 72,
    getItemKey: (index) => rows[index]?.entry.entry_id ?? index,
    overscan: 8,
  });
  const text = writtenBy(view);
  const card = view && cardOf(view);
  useSpoken(text);
  useFollowEnd(scroller, name, `${virtual.getTotalSize()} ${text.length} ${pending} ${card?.suspension.tool_call_id} ${view?.status}`);
  const waiting = view?.suspensions[0]?.tool_call_id;
  const titles: NodeTitles = view ? nodeTitlesOf(view.flow_text, view.flow_path, view.titles) : (id) => id;

  function toggle(id: string) {
    const next = new Set(opened);
    if (!next.delete(id)) next.add(id);
    setOpened(next);
  }

  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by the keyboard
    <div ref={scroller} className={styles.messages} role="log" aria-label={texts.label} aria-live="off" tabIndex={0}>
      {onEarlier && (
        <Button size="compact-xs" variant="default" onClick={onEarlier}>
          {texts.earlier}
        </Button>
      )}
      <div className={styles.rows} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start, key }) => {
          const row = rows[index];
          if (!row) return null;
          const { entry_id } = row.entry;
          return (
            <div
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              className={styles.row}
              style={{ transform: `translateY(${start}px)` }}
            >
              <ChatMessage row={row} waiting={waiting} titles={titles} open={opened.has(entry_id)} onToggle={() => toggle(entry_id)} />
            </div>
          );
        })}
      </div>
      {pending !== null && (
        <div className={styles.message} data-role="user">
          <div className={styles.bubble}>
            <VisibleText text={pending} />
          </div>
        </div>
      )}
      {text !== '' && (
        <div className={styles.message} data-role="assistant">
          <div className={styles.heading}>{texts.writing}</div>
          <div className={styles.bubble}>
            <VisibleText text={text} />
          </div>
        </div>
      )}
      {card && <SuspensionCard key={card.suspension.tool_call_id} {...card} />}
      {view?.status === 'error' && view.error && <FailureText failure={view.error} />}
    </div>
  );
}
