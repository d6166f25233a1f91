import { CloseButton, Loader } from '@mantine/core';
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { useStore } from 'zustand';
import { runSessionStore } from '#renderer/runs/model/run-stores.ts';
import { StripButton } from '#renderer/ui/controls/strip-button.tsx';
import { FailureText } from '#renderer/ui/values/failure-text.tsx';
import { previewOf } from '#renderer/ui/values/value-preview.ts';
import type { Divergence } from '#shared/contract/time-travel.ts';
import { closeReplay, replayStore } from './replay.ts';
import styles from './replay-strip.module.css';
import { replayVerdict } from './replay-verdict.ts';
import { texts } from './texts.ts';

/** The result of replaying the shown run, with a link to the first difference. */
export function ReplayStrip({ run_id }: { run_id: string }) {
  const replay = useStore(replayStore, (state) => state.replay);
  if (replay?.run_id !== run_id) return null;
  const { report, failure } = replay;
  const divergence = report?.divergence ?? null;
  return (
    <section
      className={styles.strip}
      data-same={report !== null && divergence === null}
      data-differs={divergence !== null}
      aria-label={texts.replay.label}
    >
      {!report && !failure && (
        <span className={styles.line}>
          <Loader size={14} aria-hidden="true" /> {texts.replay.running}
        </span>
      )}
      {failure && <FailureText failure={failure} />}
      {report && (
        <div className={styles.words}>
          <span className={styles.line}>
            {divergence ? (
              <IconCircleX size={15} className={styles.wrong} aria-hidden="true" />
            ) : (
              <IconCircleCheck size={15} className={styles.good} aria-hidden="true" />
            )}
            <span>{replayVerdict(report)}</span>
            {divergence && (
              <StripButton onClick={() => runSessionStore.getState().select(divergence.seq)}>
                {texts.replay.showStep(divergence.seq)}
              </StripButton>
            )}
          </span>
          {divergence && <Values divergence={divergence} />}
          {report.notes.map((note) => (
            <span key={note} className={styles.note}>
              {note}
            </span>
          ))}
        </div>
      )}
      <CloseButton size="sm" ml="auto" aria-label={texts.replay.close} onClick={closeReplay} />
    </section>
  );
}

/** The recorded and the new value, where the difference is in a value. */
function Values({ divergence: { path, expected, actual } }: { divergence: Divergence }) {
  if (expected === undefined && actual === undefined) return null;
  return (
    <span className={styles.values}>
      <code>{path}</code>
      <del>{expected === undefined ? texts.replay.nothing : previewOf(expected, 100)}</del>
      <span aria-hidden="true">→</span>
      <ins>{actual === undefined ? texts.replay.nothing : previewOf(actual, 100)}</ins>
    </span>
  );
}
