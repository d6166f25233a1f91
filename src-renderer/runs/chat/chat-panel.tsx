import { Button } from '@mantine/core';
import { IconMessages } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { failureOf } from '#renderer/api/failure.ts';
import { studio } from '#renderer/api/studio.ts';
import { type BegunChat, beginChat, chatStore, type SentMessage } from '#renderer/runs/conversations/chat-store.ts';
import { conversationsStore, showConversation } from '#renderer/runs/conversations/conversations-store.ts';
import { useFollowRuns } from '#renderer/runs/conversations/use-follow-runs.ts';
import { openRun } from '#renderer/runs/model/open-run.ts';
import { shortRunName } from '#renderer/runs/model/run-name.ts';
import { runListStore } from '#renderer/runs/model/run-stores.ts';
import { useRunSession } from '#renderer/runs/model/use-run-session.ts';
import { EmptyState } from '#renderer/ui/controls/empty-state.tsx';
import { VisibleText } from '#renderer/ui/controls/visible-text.tsx';
import { FailureText } from '#renderer/ui/values/failure-text.tsx';
import type { KeptConversation } from '#shared/contract/conversations.ts';
import type { TransferableError } from '#shared/run/error.ts';
import type { ConversationEntry } from '#shared/run/message.ts';
import { ChatBox } from './chat-box.tsx';
import { ChatMessages } from './chat-messages.tsx';
import styles from './chat-panel.module.css';
import { NewChat } from './new-chat.tsx';
import { sendFirst, sendMessage } from './send-message.ts';
import { texts } from './texts.ts';

/** The Chat tab: a conversation that agents keep, as people read it, and a box to go on with it. */
export function ChatPanel() {
  const { list, failure } = useStore(conversationsStore);
  const { shown, beginning, begun } = useStore(chatStore);
  useFollowRuns();
  if (failure) return <FailureText failure={failure} />;
  if (!list) return null;
  if (beginning) {
    const { agent } = beginning;
    return <NewChat key={`${agent?.index} ${agent?.path}`} taken={list.map(({ key }) => key)} proposed={agent} />;
  }
  const listed = list.find(({ key }) => key === shown);
  const conversation = listed ?? (begun && begun.key === shown ? notYetKept(begun.key) : list[0]);
  if (!conversation)
    return (
      <EmptyState icon={IconMessages} title={texts.emptyTitle}>
        <p>{texts.empty}</p>
        <Button size="xs" onClick={() => beginChat()}>
          {texts.new}
        </Button>
      </EmptyState>
    );
  return <Chat key={conversation.key} conversation={conversation} begun={begun?.key === conversation.key ? begun : null} />;
}

/** A conversation whose first message was sent a moment ago. */
function notYetKept(key: string): KeptConversation {
  return { name: key, key, entries: 0, tokens: 0, created_at: 0, updated_at: 0, last: '', held_by: null, branch: null };
}

interface ChatProps {
  readonly conversation: KeptConversation;
  /** How it was begun, if that was here. */
  readonly begun: (BegunChat & { readonly sent: SentMessage }) | null;
}

function Chat({ conversation: { key, held_by, created_at, updated_at, entries: total }, begun }: ChatProps) {
  const view = useRunSession((state) => state.view);
  const [sent, setSent] = useState<SentMessage | null>(begun?.sent ?? null);
  const mine = view !== null && (view.run_id === held_by?.run_id || view.run_id === sent?.run_id) ? view : null;
  const [all, setAll] = useState(false);
  const { entries, failure } = useEntries(created_at === 0 ? null : key, all, `${updated_at} ${total} ${mine?.seq} ${mine?.status}`);
  const elsewhere = held_by && !mine ? held_by : null;
  const pending = sent && mine && !entries?.some(({ entry }) => entry.run_id === sent.run_id) ? sent.text : null;
  return (
    <div className={styles.panel}>
      <header className={styles.header}>
        <h2 className={styles.key}>
          <VisibleText text={key} />
        </h2>
        {held_by && <span className={styles.held}>{held_by.waits_for === undefined ? texts.held : texts.waits}</span>}
        <span className={styles.end}>
          <Button size="compact-xs" variant="default" disabled={created_at === 0} onClick={() => showConversation(key)}>
            {texts.details}
          </Button>
          <Button size="compact-xs" variant="default" onClick={() => beginChat()}>
            {texts.new}
          </Button>
        </span>
      </header>
      {failure && <FailureText failure={failure} />}
      {entries && (
        <ChatMessages
          name={key}
          entries={entries}
          view={mine}
          pending={pending}
          {...(!all && total > entries.length && { onEarlier: () => setAll(true) })}
        />
      )}
      {elsewhere && (
        <p className={styles.note}>
          {texts.elsewhere(elsewhere.node, shortRunName(elsewhere.run_id))}{' '}
          <Button size="compact-xs" variant="default" onClick={() => void showHolder(elsewhere.run_id)}>
            {texts.openRun}
          </Button>
        </p>
      )}
      <ChatBox
        view={mine}
        blocked={elsewhere !== null || !entries}
        send={(text) => (begun && !entries?.length ? sendFirst(begun, text) : sendMessage(entries ?? [], text))}
        onSent={setSent}
      />
    </div>
  );
}

async function showHolder(run_id: string): Promise<void> {
  const run = runListStore.getState().runs.find((each) => each.run_id === run_id);
  if (run) await openRun(run);
}

/** The number of last messages that are read at first. */
const readAtFirst = 200;
const readAtMost = 10_000;

/** The entries of a conversation, read again when `version` changes; none of one that is not kept yet. */
function useEntries(name: string | null, all: boolean, version: string) {
  const [entries, setEntries] = useState<readonly ConversationEntry[] | null>(null);
  const [failure, setFailure] = useState<TransferableError | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version is read again
  useEffect(() => {
    if (name === null) return setEntries([]);
    let current = true;
    studio.conversations.entries({ name, limit: all ? readAtMost : readAtFirst }).then(
      (read) => {
        if (!current) return;
        setEntries(read);
        setFailure(null);
      },
      (thrown) => current && setFailure(failureOf(thrown)),
    );
    return () => {
      current = false;
    };
  }, [name, all, version]);
  return { entries, failure };
}
