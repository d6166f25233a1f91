import { numberText } from '#renderer/ui/controls/counted.ts';

/** The texts of the search in a run. */
export const texts = {
  title: 'Find in run',
  expression: 'Expression that is true after the step',
  placeholder: 'states.Order.total > 100',
  next: 'Next step',
  previous: 'Previous step',
  cancel: 'Cancel the search',
  searching: (seq: number) => `Searching at step ${numberText(seq)}…`,
  found: (seq: number) => (seq === 0 ? 'True at the start' : `True after step ${numberText(seq)}`),
  none: { forth: 'Not true after any later step.', back: 'Not true after any earlier step.' },
  fault: (reason: string) => `It has no value anywhere: ${reason}`,
  cancelled: 'Cancelled.',
};
