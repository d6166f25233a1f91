import type { Effect } from '#main/engine/ports/recorder.ts';
import type { Step } from './step.ts';

/**
 * Performs an effect that changes nothing outside. From the second attempt on, events say that it is repeated, because a process ended during
 * it and its outcome is unknown.
 */
export function performAttempt<Result>(
  step: Step,
  { kind, name, node }: Effect,
  attempt: number,
  perform: () => Promise<Result>,
): Promise<Result> {
  if (attempt > 1) {
    step.emit({ type: 'lifecycle', node, from: 'running', to: 'running', attempt, reason: 'unknown_outcome' });
    const call = kind === 'model' ? `The call of the model ${name}` : `The call of ${name}`;
    const line = `${call} is repeated (attempt ${attempt}): a process ended during it, so its outcome is unknown.`;
    step.emit({ type: 'log', node, level: 'warn', values: [line] });
  }
  return perform();
}
