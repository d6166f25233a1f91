import { CloseButton, Loader } from '@mantine/core';
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { useStore } from 'zustand';
import { StripButton } from '#renderer/controls/strip-button.tsx';
import { FailureText } from '#renderer/debugger/failure-text.tsx';
import { previewOf } from '#renderer/debugger/value-preview.ts';
import { runSessionStore } from '#renderer/stores/run-stores.ts';
import type { Divergence } from '#shared/contract/time-travel.ts';
import { closeReplay, replayStore } from './replay.ts';
import styles from './replay-strip.module.css';
import { replayVerdict } from './replay-words.ts';

/** What computing the shown run again came to; a click leads to where it came out differently. */
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
      aria-label="Replay"
    >
      {!report && !failure && (
        <span className={styles.line}>
          <Loader size={14} aria-hidden="true" /> Computing the run again…
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
              <StripButton onClick={() => runSessionStore.getState().select(divergence.seq)}>Show step {divergence.seq}</StripButton>
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
      <CloseButton size="sm" ml="auto" aria-label="Close the replay" onClick={closeReplay} />
    </section>
  );
}

/** What was on record and what came now, where both are values. */
function Values({ divergence: { path, expected, actual } }: { divergence: Divergence }) {
  if (expected === undefined && actual === undefined) return null;
  return (
    <span className={styles.values}>
      <code>{path}</code>
      <del>{expected === undefined ? 'nothing' : previewOf(expected, 100)}</del>
      <span aria-hidden="true">→</span>
      <ins>{actual === undefined ? 'nothing' : previewOf(actual, 100)}</ins>
    </span>
  );
}
