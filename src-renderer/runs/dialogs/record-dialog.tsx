import { Button, Modal, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useStore } from 'zustand';
import { failureOf } from '#renderer/api/failure.ts';
import { studio } from '#renderer/api/studio.ts';
import { noticeDone } from '#renderer/shell/notices.ts';
import { TextWith } from '#renderer/ui/controls/text-with.tsx';
import { FailureText } from '#renderer/ui/values/failure-text.tsx';
import type { TransferableError } from '#shared/run/error.ts';
import { closeRecordRequest, type RecordRequest, recordRequestStore } from './record-request.ts';
import styles from './run-dialog.module.css';
import { texts } from './texts.ts';

/** Saves the models' responses in a run as a script, which gives the same run without the models. */
export function RecordDialog() {
  const request = useStore(recordRequestStore, (state) => state.request);
  return (
    <Modal
      opened={request !== null}
      onClose={closeRecordRequest}
      title={texts.record.title}
      size="md"
      closeButtonProps={{ 'aria-label': texts.close }}
      transitionProps={{ duration: 0 }}
    >
      {request && <RecordForm key={request.run_id} request={request} />}
    </Modal>
  );
}

function RecordForm({ request }: { request: RecordRequest }) {
  const [path, setPath] = useState(request.path);
  const [existing, setExisting] = useState<readonly string[]>([]);
  const [failure, setFailure] = useState<TransferableError | null>(null);
  const [busy, setBusy] = useState(false);

  async function record(replace: boolean) {
    if (busy) return;
    setBusy(true);
    setFailure(null);
    try {
      const recorded = await studio.models.record({ run_id: request.run_id, path: path.trim(), replace });
      if (recorded.written.length === 0) return setExisting(recorded.existing);
      noticeDone(texts.record.saved(recorded.written.map((file) => `script://${file.path}`)));
      closeRecordRequest();
    } catch (thrown) {
      setFailure(failureOf(thrown));
    } finally {
      setBusy(false);
    }
  }

  const submit = (event: FormEvent) => {
    event.preventDefault();
    void record(existing.length > 0);
  };
  return (
    <form className={styles.body} onSubmit={submit}>
      <p className={styles.about}>
        <TextWith text={texts.record.about} parts={{ command: <code>pravah run --model</code> }} />
      </p>
      <TextInput
        label={texts.record.file}
        description={texts.record.fileHint}
        data-autofocus
        value={path}
        onChange={(event) => {
          setPath(event.currentTarget.value);
          setExisting([]);
        }}
      />
      {existing.length > 0 && (
        <p className={styles.about} role="alert">
          {texts.record.exists(existing)}
        </p>
      )}
      {failure && <FailureText failure={failure} />}
      <div className={styles.buttons}>
        <Button variant="default" onClick={closeRecordRequest}>
          {texts.cancel}
        </Button>
        <Button type="submit" color={existing.length > 0 ? 'red' : undefined} disabled={!path.trim()} loading={busy}>
          {existing.length > 0 ? texts.record.replace : texts.record.save}
        </Button>
      </div>
    </form>
  );
}
