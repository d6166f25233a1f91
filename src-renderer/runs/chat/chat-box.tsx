import { Button, Textarea } from '@mantine/core';
import { IconCornerDownLeft, IconPlayerStop } from '@tabler/icons-react';
import { useState } from 'react';
import type { SentMessage } from '#renderer/runs/conversations/chat-store.ts';
import type { RunView } from '#renderer/runs/model/run-fold.ts';
import { runSessionStore } from '#renderer/runs/model/run-stores.ts';
import { FailureText } from '#renderer/ui/values/failure-text.tsx';
import type { TransferableError } from '#shared/run/error.ts';
import styles from './chat-panel.module.css';
import type { Sending } from './send-message.ts';
import { texts } from './texts.ts';

interface ChatBoxProps {
  /** The run that is in the middle of the conversation, or was. */
  readonly view: RunView | null;
  /** Nothing can be sent now. */
  readonly blocked: boolean;
  /** Starts the run that answers a message. */
  send(text: string): Promise<Sending>;
  onSent(sent: SentMessage): void;
}

const underWay: readonly RunView['status'][] = ['queued', 'running', 'paused', 'suspended'];

/** The box of a chat: Enter sends, Shift+Enter begins a line, Escape stops the run that answers. */
export function ChatBox({ view, blocked, send: start, onSent }: ChatBoxProps) {
  const [text, setText] = useState('');
  const [sending, setSending] = useState(false);
  const [failure, setFailure] = useState<TransferableError | null>(null);
  const answering = view !== null && underWay.includes(view.status);
  const canSend = !answering && !blocked && !sending && text.trim() !== '';

  async function send() {
    if (!canSend) return;
    setSending(true);
    const result = await start(text.trim());
    setSending(false);
    setFailure('failure' in result ? result.failure : null);
    if ('failure' in result) return;
    onSent({ run_id: result.run_id, text: text.trim() });
    setText('');
  }

  const stop = () => void runSessionStore.getState().stop();
  return (
    <div className={styles.box}>
      {failure && <FailureText failure={failure} />}
      <Textarea
        aria-label={texts.message}
        placeholder={texts.placeholder}
        autosize
        minRows={2}
        maxRows={8}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && answering) stop();
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          void send();
        }}
      />
      <div className={styles.buttons}>
        {answering && (
          <Button size="xs" variant="default" leftSection={<IconPlayerStop size={14} aria-hidden="true" />} onClick={stop}>
            {texts.stop}
          </Button>
        )}
        <Button
          size="xs"
          disabled={!canSend}
          loading={sending}
          rightSection={<IconCornerDownLeft size={14} aria-hidden="true" />}
          onClick={() => void send()}
        >
          {texts.send}
        </Button>
      </div>
    </div>
  );
}
