import type { Step } from '#main/runtime/step.ts';

/** Tells a reader that an answer would not do and that the model is asked again, with pagantic's states. `turn`: the one that it is asked in. */
export function announceAskedAgain(step: Step, turn: number, why: string): void {
  if (!step.listening) return;
  const { node } = step;
  step.emit({ type: 'lifecycle', node, from: 'EXECUTE', to: 'VALIDATE', attempt: turn - 1, reason: 'an answer has come' });
  step.emit({ type: 'lifecycle', node, from: 'VALIDATE', to: 'EXECUTE', attempt: turn, reason: why });
}
