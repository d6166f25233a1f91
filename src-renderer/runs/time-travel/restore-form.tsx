import { Button, Checkbox, Loader } from '@mantine/core';
import { IconFolderCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { failureOf } from '#renderer/api/failure.ts';
import { studio } from '#renderer/api/studio.ts';
import { announce } from '#renderer/shell/announcer.ts';
import { EmptyState } from '#renderer/ui/controls/empty-state.tsx';
import { TextWith } from '#renderer/ui/controls/text-with.tsx';
import { FailureText } from '#renderer/ui/values/failure-text.tsx';
import { FileDifference } from '#renderer/ui/values/file-difference.tsx';
import type { FileRestore, RestoreResult } from '#shared/contract/time-travel.ts';
import type { TransferableError } from '#shared/run/error.ts';
import styles from './restore-form.module.css';
import { texts } from './texts.ts';
import { closeTimeTravelDialog, type TravelledRun } from './time-travel-dialogs.ts';
import { useRestorePreview } from './use-restore-preview.ts';

function canBeRestored({ action }: FileRestore): boolean {
  return action !== 'none' && action !== 'impossible';
}

/** Restores files of the folder to their content after a step: shows what would change, what would be lost, and can undo it. */
export function RestoreForm({ run, seq }: { run: TravelledRun; seq: number }) {
  const { run_id } = run;
  const [readings, setReadings] = useState(0);
  const { preview, failure } = useRestorePreview(run_id, seq, readings);
  const [chosen, setChosen] = useState<Readonly<Record<string, boolean>>>({});
  const [refused, setRefused] = useState<TransferableError | null>(null);
  const [result, setResult] = useState<RestoreResult | null>(null);
  const [busy, setBusy] = useState(false);
  if (failure) return <FailureText failure={failure} />;
  if (!preview) return <Loader size="sm" role="img" aria-label={texts.restore.loading} />;

  const possible = preview.files.filter(canBeRestored);
  // A file that was changed outside the run is replaced only when the user chooses it.
  const isChosen = ({ path, conflict }: FileRestore) => chosen[path] ?? !conflict;
  const files = possible.filter(isChosen);

  async function change(act: () => Promise<RestoreResult>, done: (count: number) => string) {
    setBusy(true);
    setRefused(null);
    try {
      const next = await act();
      setResult(next);
      announce(done(next.files.filter(({ outcome }) => outcome === 'restored').length));
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
      (count) => texts.restore.restored(count),
    );
  const undo = (restore_id: number) =>
    change(
      () => studio.runs.undoRestore({ restore_id, run_id }),
      (count) => texts.restore.undone(count),
    );

  return (
    <div className={styles.body}>
      {preview.files.length === 0 ? (
        <EmptyState icon={IconFolderCheck} title={texts.restore.emptyTitle}>
          {texts.restore.empty}
        </EmptyState>
      ) : (
        <p className={styles.about}>{possible.length === 0 ? texts.restore.nothing : texts.restore.about}</p>
      )}
      <ul className={styles.files} aria-label={texts.restore.label}>
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
              <span className={styles.action}>{texts.restore.actions[file.action]}</span>
            </div>
            {file.conflict && <p className={styles.conflict}>{texts.restore.conflict}</p>}
            {file.note && <p className={styles.note}>{file.note}</p>}
            {canBeRestored(file) && (file.before !== null || file.after !== null) && (
              <FileDifference file={{ path: file.path, before: file.before, after: file.after ?? '' }} />
            )}
          </li>
        ))}
      </ul>
      {result && <Outcome result={result} />}
      {refused && <FailureText failure={refused} />}
      <div className={styles.buttons}>
        {result && (
          <Button variant="default" disabled={busy} onClick={() => void undo(result.restore_id)}>
            {texts.restore.undo}
          </Button>
        )}
        <Button variant="default" onClick={closeTimeTravelDialog}>
          {result ? texts.close : texts.cancel}
        </Button>
        {possible.length > 0 && (
          <Button disabled={files.length === 0} loading={busy} onClick={() => void restore()}>
            {texts.restore.restore(files.length)}
          </Button>
        )}
      </div>
    </div>
  );
}

function Outcome({ result }: { result: RestoreResult }) {
  const failed = result.files.filter(({ outcome }) => outcome === 'failed');
  const done = result.files.length - failed.length;
  return (
    <div role="status">
      {done > 0 && <p className={styles.done}>{texts.restore.done(done)}</p>}
      {failed.map(({ path, error }) => (
        <p key={path} className={styles.conflict}>
          <TextWith text={texts.restore.failed} parts={{ file: <code>{path}</code>, reason: error?.message }} />
        </p>
      ))}
    </div>
  );
}
