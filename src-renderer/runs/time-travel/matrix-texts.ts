import { counted, numberText } from '#renderer/ui/controls/counted.ts';

const bytesText = (bytes: number) => `${numberText(Math.max(1, Math.round(bytes / 1024 / 1024)))} MiB`;

/** What the dialog and the table of a what-if matrix say on screen. */
export const matrixTexts = {
  none: { title: 'No what-if matrix', message: 'This run has no matrix. Create one with “What-if matrix…”.' },
  form: {
    about:
      'Runs {flow} again with the states after this step, once for each combination of a model and a prompt. Each variant is a run of its own.',
    flow: 'Flow version',
    models: 'Models',
    model: (index: number) => `Model ${index}`,
    modelHint: 'For all agents, for example script://answers.json',
    addModel: 'Add a model',
    prompts: 'Prompts',
    prompt: (title: string, index: number) => `Prompt of ${title}, ${index}`,
    addPrompt: (title: string) => `Add a prompt of ${title}`,
    remove: (what: string) => `Remove: ${what}`,
    repeat: 'Times each',
    noAgents: 'The flow’s own file has no agents. Repeat the run, or use the current flow.',
    nothing: 'Nothing varies yet. Add a model or a prompt, or run it several times.',
    tooMany: (count: number, most: number) => `${counted(count, 'variant')}: at most ${most} are possible.`,
    unknownCost: 'The run called no model after this step, so the cost is unknown.',
    estimate: (calls: number, tokens: number, cost: string | null) =>
      `If each uses what this run did: ${counted(calls, 'model call')}, ${counted(tokens, 'token')}${cost === null ? '' : `, cost ${cost}`}.`,
    copy: (tools: string, files: number, bytes: number) =>
      `Each runs in a temporary copy of the folder (${counted(files, 'file')}, ${bytesText(bytes)}), because it can change files: ${tools}.`,
    outside: (tools: string) => `These can also change things outside the folder: ${tools}. Mock them to prevent this.`,
    misfit: (name: string, message: string) => `${name}: ${message}`,
    run: (count: number) => `Run ${counted(count, 'variant')}`,
  },
  panel: {
    title: (run: string, seq: number) => `Variants of run ${run} from step ${numberText(seq)}`,
    progress: (done: number, of: number) => `${numberText(done)} of ${numberText(of)} done`,
    loading: 'Loading the matrix',
    table: 'Variants',
    variant: 'Variant',
    original: 'original',
    status: 'Status',
    differs: 'First difference',
    same: 'none',
    start: 'states at the start',
    output: 'Output',
    tokens: 'Tokens',
    cost: 'Cost',
    time: 'Time',
    step: (seq: number, node: string) => `step ${numberText(seq)}: ${node}`,
    missing: (node: string) => `ends before ${node}`,
    compare: (name: string) => `Compare “${name}” with the original`,
    open: (name: string) => `Show the run of “${name}”`,
    run: 'Run the others',
    cancel: 'Cancel',
    close: 'Close the matrix',
    failed: 'The variants could not be run',
  },
};
