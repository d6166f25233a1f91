import { Button, TextInput } from '@mantine/core';
import { IconMessages, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import { EmptyState } from '#renderer/ui/controls/empty-state.tsx';
import { useNow } from '#renderer/ui/controls/use-now.ts';
import { VisibleText } from '#renderer/ui/controls/visible-text.tsx';
import { agoText } from '#renderer/ui/values/durations.ts';
import { FailureText } from '#renderer/ui/values/failure-text.tsx';
import type { KeptConversation } from '#shared/contract/conversations.ts';
import { beginChat } from './chat-store.ts';
import styles from './conversations-panel.module.css';
import { conversationsStore, showConversation } from './conversations-store.ts';
import { texts } from './texts.ts';
import { useFollowRuns } from './use-follow-runs.ts';

/** From how many conversations on they can be searched. */
const searchable = 6;

/** What the agents of the folder remember between runs. */
export function ConversationsPanel() {
  const { list, failure } = useStore(conversationsStore);
  const [search, setSearch] = useState('');
  useFollowRuns();
  if (failure) return <FailureText failure={failure} />;
  if (!list) return null;
  if (list.length === 0)
    return (
      <EmptyState icon={IconMessages} title={texts.emptyTitle}>
        <p>{texts.empty}</p>
        <Button size="xs" onClick={() => beginChat()}>
          {texts.new}
        </Button>
      </EmptyState>
    );
  const wanted = search.trim().toLowerCase();
  const found = list.filter(({ key, last }) => `${key}\n${last}`.toLowerCase().includes(wanted));
  return (
    <div className={styles.panel}>
      <div className={styles.tools}>
        {list.length >= searchable && (
          <TextInput
            className={styles.search ?? ''}
            aria-label={texts.search}
            placeholder={texts.search}
            leftSection={<IconSearch size={15} aria-hidden="true" />}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
        )}
        <Button size="xs" variant="default" onClick={() => beginChat()}>
          {texts.new}
        </Button>
      </div>
      {found.length === 0 && <p className={styles.none}>{texts.noMatch}</p>}
      <ul className={styles.list} aria-label={texts.label}>
        {found.map((conversation) => (
          <Row key={conversation.key} conversation={conversation} />
        ))}
      </ul>
    </div>
  );
}

function Row({ conversation: { key, last, entries, tokens, updated_at, held_by } }: { conversation: KeptConversation }) {
  const now = useNow(10_000);
  return (
    <li>
      <button type="button" className={styles.row} onClick={() => showConversation(key)}>
        <span className={styles.head}>
          <span className={styles.key}>
            <VisibleText text={key} />
          </span>
          <span className={styles.faint}>{agoText(updated_at, now)}</span>
        </span>
        <span className={styles.last}>
          <VisibleText text={last} />
        </span>
        <span className={styles.faint}>
          {texts.size(entries, tokens)}
          {held_by && <strong className={styles.held}> · {texts.held(held_by.waits_for !== undefined)}</strong>}
        </span>
      </button>
    </li>
  );
}
