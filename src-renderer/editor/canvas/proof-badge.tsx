import { IconCheck, IconCircleDashed, IconCircleX, IconPlayerPlayFilled } from '@tabler/icons-react';
import { useCurrentFlow } from '#renderer/document/flows/use-current-flow.ts';
import { counterexampleOf, playCounterexample } from '#renderer/editor/playback/play-counterexample.ts';
import { toneOf } from '#renderer/editor/problems/problem-tone.ts';
import { panelsStore } from '#renderer/shell/panels.ts';
import type { ValidationReport } from '#shared/flow/problem.ts';
import styles from './proof-badge.module.css';
import { texts } from './texts.ts';

/** The result of the soundness proof. A click shows the problems; a counterexample can be played. */
export function ProofBadge() {
  const flow = useCurrentFlow((open) => open);
  if (!flow?.report) return null;
  const { tone, text } = verdict(flow.report);
  const counterexample = counterexampleOf(flow);
  const Icon = tone === 'good' ? IconCheck : tone === 'bad' ? IconCircleX : IconCircleDashed;
  return (
    <div className={styles.badge} data-tone={tone} data-on-canvas>
      <button type="button" className={styles.verdict} onClick={() => panelsStore.getState().showBottom('problems')}>
        <Icon size={15} aria-hidden="true" />
        {text}
      </button>
      {counterexample && (
        <button type="button" className={styles.play} onClick={() => void playCounterexample(flow, counterexample)}>
          <IconPlayerPlayFilled size={12} aria-hidden="true" />
          {texts.verdict.show}
        </button>
      )}
    </div>
  );
}

function verdict(report: ValidationReport): { tone: 'good' | 'bad' | 'unfinished'; text: string } {
  const found = report.problems.map(toneOf);
  const errors = found.filter((tone) => tone !== 'warning').length;
  if (errors > 0 && !found.includes('error')) return { tone: 'unfinished', text: texts.verdict.unfinished(errors) };
  if (errors > 0) return { tone: 'bad', text: texts.verdict.errors(errors) };
  if (report.soundness.status === 'sound') return { tone: 'good', text: texts.verdict.sound };
  if (report.soundness.status === 'unsound') return { tone: 'bad', text: texts.verdict.unsound };
  return { tone: 'good', text: texts.verdict.valid };
}
