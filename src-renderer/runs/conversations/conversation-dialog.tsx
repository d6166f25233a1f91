import { Button, Group, Modal } from '@mantine/core';
import { useCallback, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { failureOf } from '#renderer/api/failure.ts';
import { studio } from '#renderer/api/studio.ts';
import { shortRunName } from '#renderer/runs/model/run-name.ts';
import { saveAsFile } from '#renderer/runs/time-travel/save-as-file.ts';
import { announce } from '#renderer/shell/announcer.ts';
import { FailureText } from '#renderer/ui/values/failure-text.tsx';
import type { KeptConversation } from '#shared/contract/conversations.ts';
import type { TransferableError } from '#shared/run/error.ts';
import type { ConversationEntry } from '#shared/run/message.ts';
import { showChat } from './chat-store.ts';
import styles from './conversation-dialog.module.css';
import { ConversationEntries } from './conversation-entries.tsx';
import { conversationsStore, loadConversations, showConversation } from './conversations-store.ts';
import { texts } from './texts.ts';

/** The conversation that was chosen in the list, with what can be done with it. */
export function ConversationDialog() {
  const shown = useStore(conversationsStore, (state) => state.shown);
  return (
    <Modal
      opened={shown !== null}
      onClose={() => showConversation(null)}
      title={shown}
      size={760}
      closeButtonProps={{ 'aria-label': texts.cancel }}
    >
      {shown !== null && <Content key={shown} name={shown} />}
    </Modal>
  );
}

interface Read {
  readonly entries: readonly ConversationEntry[];
  readonly branches: readonly KeptConversation[];
}

function Content({ name }: { name: string }) {
  const conversation = useStore(conversationsStore, ({ list }) => list?.find(({ key }) => key === name) ?? null);
  const [branch, setBranch] = useState<string | null>(null);
  const [read, setRead] = useState<Read | null>(null);
  const [failure, setFailure] = useState<TransferableError | null>(null);
  const [erasing, setErasing] = useState<number | null>(null);
  const load = useCallback(async () => {
    try {
      const [entries, branches] = await Promise.all([
        studio.conversations.entries({ name: branch ?? name }),
        studio.conversations.branches({ name }),
      ]);
      setRead({ entries, branches });
    } catch (thrown) {
      setFailure(failureOf(thrown));
    }
  }, [branch, name]);
  useEffect(() => void load(), [load]);

  /** Changes the conversation, says so, and shows it as it is then. */
  async function change(call: () => Promise<unknown>, done: string, closes = false) {
    setFailure(null);
    try {
      await call();
      announce(done);
      await loadConversations();
      if (closes) showConversation(null);
      else await load();
    } catch (thrown) {
      setFailure(failureOf(thrown));
    }
  }

  const { held_by } = conversation ?? {};
  return (
    <>
      {held_by && <p className={styles.note}>{texts.heldBy(held_by.node, shortRunName(held_by.run_id), held_by.waits_for)}</p>}
      <Group gap={6} mb={10}>
        {branch === null && (
          <Button
            size="xs"
            onClick={() => {
              showConversation(null);
              showChat(name);
            }}
          >
            {texts.talk}
          </Button>
        )}
        <Button
          size="xs"
          variant="default"
          onClick={async () => {
            const { file_name, content } = await studio.conversations.exportText({ name: branch ?? name });
            saveAsFile(file_name, content);
          }}
        >
          {texts.export}
        </Button>
        {held_by && (
          <Button
            size="xs"
            variant="default"
            title={texts.releaseHint}
            onClick={() => void change(() => studio.conversations.release({ name }), texts.released)}
          >
            {texts.release}
          </Button>
        )}
        {branch === null && (
          <Button
            size="xs"
            variant="default"
            title={texts.dropHint}
            onClick={() => void change(() => studio.conversations.drop({ name }), texts.dropped)}
          >
            {texts.drop}
          </Button>
        )}
        {branch === null && (
          <Button size="xs" variant="default" onClick={async () => setErasing((await studio.conversations.runs({ name })).length)}>
            {texts.erase}
          </Button>
        )}
        {branch !== null && (
          <Button size="xs" variant="default" onClick={() => setBranch(null)}>
            {texts.back}
          </Button>
        )}
      </Group>
      {erasing !== null && (
        <div role="alertdialog" aria-label={texts.erase} className={styles.question}>
          <p>{texts.eraseQuestion(erasing)}</p>
          <Group gap={6}>
            <Button
              size="xs"
              color="red"
              autoFocus
              onClick={() => void change(() => studio.conversations.erase({ name }), texts.eraseYes, true)}
            >
              {texts.eraseYes}
            </Button>
            <Button size="xs" variant="default" onClick={() => setErasing(null)}>
              {texts.cancel}
            </Button>
          </Group>
        </div>
      )}
      {failure && <FailureText failure={failure} />}
      {read && branch === null && read.branches.length > 0 && (
        <section className={styles.branches} aria-label={texts.branches}>
          <h3>{texts.branches}</h3>
          <ul>
            {read.branches.map((each) => (
              <li key={each.name} className={styles.branch}>
                <span className={styles.grow}>
                  {texts.branch(shortRunName(each.branch?.run_id ?? ''), each.branch?.at ?? 0)}
                  <span className={styles.note}> {each.last}</span>
                </span>
                <Button size="compact-xs" variant="default" onClick={() => setBranch(each.name)}>
                  {texts.show}
                </Button>
                <Button
                  size="compact-xs"
                  variant="default"
                  title={texts.adoptHint}
                  onClick={() => void change(() => studio.conversations.adopt({ name: each.name }), texts.adopted)}
                >
                  {texts.adopt}
                </Button>
              </li>
            ))}
          </ul>
        </section>
      )}
      {read && <ConversationEntries entries={read.entries} />}
    </>
  );
}
