import { counted } from '#renderer/ui/controls/counted.ts';

/** What the dialogs that start and record runs, and the form that tries a tool, say on screen. A `{name}` is an element that `TextWith` puts in. */
export const texts = {
  cancel: 'Cancel',
  close: 'Close',
  start: {
    title: 'Start a run',
    about: '{flow} runs your current edits.',
    errors: (count: number) => `Fix ${counted(count, 'error')} before running.`,
    showErrors: (count: number) => `Show ${count === 1 ? 'error' : 'errors'}`,
    loading: 'Loading the input form',
    input: 'Input',
    step: 'Step from the start',
    run: 'Run',
    models: (changed: number) => (changed === 0 ? 'Models for this run' : `Models for this run (${changed} changed)`),
    modelOf: (agent: string) => `Model of ${agent}`,
  },
  record: {
    title: 'Save model responses as script',
    about: 'A script returns the same responses without a model or a key. Use it as an agent’s model, or in {command}.',
    file: 'File in this folder',
    fileHint: 'With several agents, each agent’s name is added before the file extension.',
    exists: (paths: readonly string[]) => `${paths.join(' and ')} already ${paths.length === 1 ? 'exists' : 'exist'}.`,
    save: 'Save',
    replace: 'Replace',
    saved: (urls: readonly string[]) => `Saved ${urls.join(' and ')}.`,
  },
  try: {
    heading: 'Try it',
    call: 'Call the tool',
    stop: 'Stop',
    outcome: 'Result',
    input: 'Input',
    result: 'Result',
    running: 'The tool is running',
  },
};
