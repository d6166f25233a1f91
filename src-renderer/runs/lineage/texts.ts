import { counted, numberText } from '#renderer/ui/controls/counted.ts';

/** The texts of lineages and of the menu of a state. */
export const texts = {
  title: { back: 'Where it came from', forth: 'What used it' },
  list: (value: string, direction: 'back' | 'forth') => (direction === 'back' ? `Where ${value} came from` : `What used ${value}`),
  close: 'Close',
  reading: 'Reading the record…',
  failed: (reason: string) => `Not available: ${reason}`,
  start: "the run's input",
  fork: 'the state at the fork',
  turn: (turn: number) => `turn ${turn}`,
  step: (seq: number) => (seq === 0 ? 'start' : `step ${numberText(seq)}`),
  how: { asked: '', consumed: '', copied: 'passed on', same_value: 'same value' },
  introduced: 'introduced here',
  foundIn: (tool: string, turn: number | undefined) => `same value in ${tool}${turn === undefined ? '' : `, turn ${turn}`}`,
  cut: (count: number) => `Only the first ${counted(count, 'step')} are shown.`,
  unused: 'Nothing has used it.',
  found: (count: number, direction: 'back' | 'forth') =>
    direction === 'back' ? `${counted(count, 'step')} led here.` : `${counted(count - 1, 'step')} used it.`,
  who: 'Who wrote this',
  used: 'Who used this',
  previousWrite: 'Previous write',
  nextWrite: 'Next write',
  commands: {
    who: 'Who wrote the state of this wire',
    used: 'Who used the state of this wire',
    previousWrite: 'Previous write of the state of this wire',
    nextWrite: 'Next write of the state of this wire',
  },
  noPreviousWrite: (state: string) => `No earlier step wrote ${state}.`,
  noNextWrite: (state: string) => `No later step wrote ${state}.`,
  notInRun: 'The shown run does not run this flow.',
};
