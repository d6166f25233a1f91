import { Button, Checkbox, Loader } from '@mantine/core';
import { IconFolderCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { failureOf } from '#renderer/api/failure.ts';
import { studio } from '#renderer/api/studio.ts';
import { EmptyState } from '#renderer/controls/empty-state.tsx';
import { FailureText } from '#renderer/debugger/failure-text.tsx';
import { FileDifference } from '#renderer/inbox/file-difference.tsx';
import { announce } from '#renderer/stores/announcer.ts';
import type { FileRestore, RestoreResult } from '#shared/contract/time-travel.ts';
import type { TransferableError } from '#shared/runtime/error.ts';
import styles from './restore-form.module.css';
import { closeTimeTravelDialog, type TravelledRun } from './time-travel-dialogs.ts';
import { useRestorePreview } from './use-restore-preview.ts';

const actions: Record<FileRestore['action'], string> = {
  write: 'changes',
  create: 'comes back',
  remove: 'is removed',
  none: 'is already so',
  impossible: 'cannot be restored',
};

function canBeRestored({ action }: FileRestore): boolean {
  return action !== 'none' && action !== 'impossible';
}

/** Gives files of the folder back the contents that they had after a step: what would change, what would be lost, and the way back. */
export function RestoreForm({ run, seq }: { run: TravelledRun; seq: number }) {
  const { run_id } = run;
  const [readings, setReadings] = useState(0);
  const { preview, failure } = useRestorePreview(run_id, seq, readings);
  const [chosen, setChosen] = useState<Readonly<Record<string, boolean>>>({});
  const [refused, setRefused] = useState<TransferableError | null>(null);
  const [result, setResult] = useState<RestoreResult | null>(null);
  const [busy, setBusy] = useState(false);
  if (failure) return <FailureText failure={failure} />;
  if (!preview) return <Loader size="sm" role="img" aria-label="Comparing the folder with the step" />;

  const possible = preview.files.filter(canBeRestored);
  // What somebody else has written since is replaced only when a person says so.
  const isChosen = ({ path, conflict }: FileRestore) => chosen[path] ?? !conflict;
  const files = possible.filter(isChosen);

  async function change(act: () => Promise<RestoreResult>, words: (count: number) => string) {
    setBusy(true);
    setRefused(null);
    try {
      const next = await act();
      setResult(next);
      announce(words(next.files.filter(({ outcome }) => outcome === 'restored').length));
      setReadings((count) => count + 1);
    } catch (thrown) {
      setRefused(failureOf(thrown));
    } finally {
      setBusy(false);
    }
  }

  const restore = () =>
    change(
      () => studio.runs.restore({ run_id, seq, files: files.map(({ path, before_hash }) => ({ path, before_hash })) }),
      (count) => `${fileCount(count)} restored.`,
    );
  const undo = (restore_id: number) =>
    change(
      () => studio.runs.undoRestore({ restore_id, run_id }),
      (count) => `${fileCount(count)} given back.`,
    );

  return (
    <div className={styles.body}>
      {preview.files.length === 0 ? (
        <EmptyState icon={IconFolderCheck} title="This run has written no file">
          Only files that the run’s tools wrote can be restored.
        </EmptyState>
      ) : (
        <p className={styles.about}>
          {possible.length === 0
            ? 'The folder is as it was then: nothing is to be restored.'
            : 'What the run’s tools wrote is taken back to how it stood after this step. What is replaced is kept, so this can be undone.'}
        </p>
      )}
      <ul className={styles.files} aria-label="Files">
        {preview.files.map((file) => (
          <li key={file.path} className={styles.file}>
            <div className={styles.head}>
              <Checkbox
                size="xs"
                label={<code>{file.path}</code>}
                checked={canBeRestored(file) && isChosen(file)}
                disabled={!canBeRestored(file) || busy}
                onChange={(event) => {
                  const { checked } = event.currentTarget;
                  setChosen((before) => ({ ...before, [file.path]: checked }));
                }}
              />
              <span className={styles.action}>{actions[file.action]}</span>
            </div>
            {file.conflict && (
              <p className={styles.conflict}>
                Somebody else has changed this file since the run wrote it. Restoring it replaces that, too.
              </p>
            )}
            {file.note && <p className={styles.note}>{file.note}</p>}
            {canBeRestored(file) && (file.before !== null || file.after !== null) && (
              <FileDifference file={{ path: file.path, before: file.before, after: file.after ?? '', before_hash: file.before_hash }} />
            )}
          </li>
        ))}
      </ul>
      {result && <Outcome result={result} />}
      {refused && <FailureText failure={refused} />}
      <div className={styles.buttons}>
        {result && (
          <Button variant="default" disabled={busy} onClick={() => void undo(result.restore_id)}>
            Undo
          </Button>
        )}
        <Button variant="default" onClick={closeTimeTravelDialog}>
          {result ? 'Close' : 'Cancel'}
        </Button>
        {possible.length > 0 && (
          <Button disabled={files.length === 0} loading={busy} onClick={() => void restore()}>
            Restore {fileCount(files.length)}
          </Button>
        )}
      </div>
    </div>
  );
}

function fileCount(count: number): string {
  return count === 1 ? '1 file' : `${count} files`;
}

function Outcome({ result }: { result: RestoreResult }) {
  const failed = result.files.filter(({ outcome }) => outcome === 'failed');
  const done = result.files.length - failed.length;
  return (
    <div role="status">
      {done > 0 && <p className={styles.done}>Done: {fileCount(done)}.</p>}
      {failed.map(({ path, error }) => (
        <p key={path} className={styles.conflict}>
          <code>{path}</code> was left alone. {error?.message}
        </p>
      ))}
    </div>
  );
}
