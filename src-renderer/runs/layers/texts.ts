import { counted, numberText } from '#renderer/ui/controls/counted.ts';

/** The texts of the layers of coverage, time, tokens and cost. */
export const texts = {
  label: 'Layer over the canvas',
  kinds: { coverage: 'Coverage', time: 'Time', tokens: 'Tokens', cost: 'Cost' },
  reading: 'Counting…',
  failed: 'Coverage is not available',
  noFlow: 'Open a flow first.',
  noRuns: 'No run of this flow yet. Run it to see what it takes.',
  summary: (percent: number, covered: number, total: number, runs: number) =>
    `${percent} % · ${numberText(covered)} of ${numberText(total)} nodes and branches · ${counted(runs, 'run')}`,
  sum: {
    time: (text: string) => `${text} in all`,
    tokens: (text: string) => `${text} tokens in all`,
    cost: (text: string) => `${text} in all`,
  },
  noPrice: 'Set prices of models in the settings to see costs.',
  leftOut: (count: number) => `The oldest ${counted(count, 'run')} ${count === 1 ? 'was' : 'were'} left out.`,
  never: (count: number) => `Never taken (${numberText(count)})`,
  neverList: 'Never taken',
  branch: (title: string, state: string) => `${title} → ${state}`,
  noRoute: 'No way there was found.',
  fromStart: 'From the start',
  after: (steps: string) => `After ${steps}`,
  waiting: (states: string) => `waiting: ${states}`,
  refresh: 'Count again',
  close: 'Hide the layer',
  count: (count: number) => `${numberText(count)}×`,
  node: (count: number, failures: number) =>
    [`finished ${counted(count, 'time')}`, failures > 0 && `failed ${counted(failures, 'time')}`].filter(Boolean).join(', '),
  wire: (count: number) => `taken ${counted(count, 'time')}`,
  neverRan: 'never ran',
  neverTaken: 'never taken',
  tokens: (count: string) => `${count} tokens`,
  failures: (count: number) => ` · ${counted(count, 'failure')}`,
};
