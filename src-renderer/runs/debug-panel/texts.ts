import { counted, numberText } from '#renderer/ui/controls/counted.ts';

/** The texts of the Debug tab. */
export const texts = {
  label: 'Debugger',
  tokens: 'Tokens',
  firesNext: 'fires next',
  waitsFor: (states: string) => `waits for ${states}`,
  answerWanted: 'needs an answer',
  result: 'result',
  noTokens: 'No state waits.',
  noRun: 'Run the flow to see its waiting states and where it is.',
  stack: 'Call stack',
  frames: (count: number) => counted(count, 'frame'),
  item: (index: number, of: number | null) => (of === null ? `item ${index + 1}` : `item ${index + 1} of ${of}`),
  calledBy: (title: string) => `called by ${title}`,
  turn: (turn: number) => `turn ${turn}`,
  heldCall: 'Would be sent',
  ended: 'The run has ended.',
  stackFailed: (reason: string) => `Not available: ${reason}`,
  watches: 'Watches',
  addWatch: 'Add a watch',
  removeWatch: (expression: string) => `Remove ${expression}`,
  plotWatch: (expression: string) => `Plot ${expression}`,
  plotOf: (expression: string, least: number, most: number, last: number) =>
    `${expression} over ${counted(last, 'step')}: from ${numberText(least)} to ${numberText(most)}`,
  range: (least: number, most: number) => `${numberText(least)} to ${numberText(most)}`,
  nothingToPlot: 'It is never a number or a boolean.',
  expression: 'Expression',
  expressionHint: 'states.Order.total',
  noWatches: 'Expressions to evaluate at each step.',
  noFlow: 'Open a flow first.',
  unknown: 'not evaluated',
};
