import type { Step } from '#main/engine/step/step.ts';

/** Emits lifecycle events, in pagantic's states, for a rejected answer and the retry. `turn` is the turn of the retry. */
export function emitRetry(step: Step, turn: number, why: string): void {
  if (!step.listening) return;
  const { node } = step;
  step.emit({ type: 'lifecycle', node, from: 'EXECUTE', to: 'VALIDATE', attempt: turn - 1, reason: 'received an answer' });
  step.emit({ type: 'lifecycle', node, from: 'VALIDATE', to: 'EXECUTE', attempt: turn, reason: why });
}
