/** The texts of the playback of counterexamples. */
export const texts = {
  notPlayable: 'Could not show the counterexample',
  nothingToShow: 'Nothing to show',
  sound: 'This flow is sound: no run gets stuck or leaves a state unused.',
  noCounterexample: 'No counterexample is known for this flow. See the Problems panel for other problems.',

  ended: 'The playback has ended because the flow has changed.',

  titles: {
    stuck: 'How it gets stuck',
    unused: 'How a state is left unused',
    twice: 'How a state is produced twice',
    neverRuns: 'Why a node never runs',
  },

  badges: { next: 'next', fails: 'fails', unused: 'unused', neverRuns: 'never runs', noWayOut: 'no way out', stuck: 'stuck' },

  inside: (node: string, sentence: string) => `In the flow of “${node}”: ${sentence}`,
  start: (input: string) => `The flow starts: ${input} waits.`,
  stepNumber: (step: number, steps: number) => `Step ${step} of ${steps}:`,
  takesBranch: (node: string, consumed: string, produced: string) => `${node} consumes ${consumed} and takes the branch ${produced}.`,
  splits: (node: string, consumed: string, produced: string) => `${node} splits ${consumed} into ${produced}.`,
  joins: (node: string, consumed: string, produced: string) => `${node} joins ${consumed} into ${produced}.`,
  produces: (node: string, consumed: string, produced: string) => `${node} consumes ${consumed} and produces ${produced}.`,
  collision: (state: string) => `That would be a second ${state} while one still waits: the run fails here.`,
  unused: (output: string, states: string, count: number) =>
    `${output} is produced and the run ends while ${states} ${count === 1 ? 'is' : 'are'} unused.`,
  neverRuns: (node: string) => `“${node}” has not run, and no other run reaches it either.`,
  noWayOut: (nodes: string, output: string) => `${nodes} can still run, but no path leads from here to ${output}.`,
  deadEnd: (output: string) => `Nothing else can run, and ${output} is never reached.`,
  waitsFor: (node: string, has: string, missing: string) =>
    `“${node}” has ${has} and waits for ${missing}, which no remaining node can produce.`,
  cannotConsume: (node: string, states: string) => `“${node}” cannot consume ${states}: its output would be produced twice.`,

  bar: {
    counterexample: 'Counterexample',
    controls: 'Playback controls',
    toStart: 'Go to start',
    toStartHint: 'Go to start (Home)',
    back: 'Step back',
    backHint: 'Step back (←)',
    forward: 'Step forward',
    forwardHint: 'Step forward (→)',
    play: 'Play',
    playHint: 'Play (Space)',
    pause: 'Pause',
    pauseHint: 'Pause (Space)',
    step: 'Step of the counterexample',
    stepOf: (step: number, steps: number) => `Step ${step} of ${steps}`,
    close: 'End playback',
    closeHint: 'End playback (Escape)',
  },
};
