import { counted, numberText } from '#renderer/ui/controls/counted.ts';

/** The texts of the chat panel. */
export const texts = {
  label: 'Messages of the conversation',
  emptyTitle: 'No conversation yet',
  empty: 'Run a flow with an agent whose conversation has the scope “workspace”. You can go on talking to it here.',
  run: 'Run the flow…',
  details: 'Details…',
  earlier: 'Show earlier messages',
  you: 'You',
  system: 'System',
  step: (seq: number) => `step ${numberText(seq)}`,
  stepHint: (run: string) => `Show the step of run ${run}`,
  cut: 'cut off',
  reasoning: 'Reasoning:',
  image: 'Image',
  summary: (from: number, to: number) => `${counted(to - from + 1, 'message')} summarized`,
  originals: 'Show originals',
  hideOriginals: 'Hide originals',
  writing: 'writing…',
  held: 'in use',
  waits: 'waits for you',
  elsewhere: (node: string, run: string) => `${node} of run ${run} is in the middle of this conversation.`,
  openRun: 'Open the run',
  message: 'Message',
  placeholder: 'Write a message',
  send: 'Send',
  stop: 'Stop',
  nothingSaid: 'This conversation has no message from a run, so its flow is unknown. Run the flow first.',
  noField: (flow: string) =>
    `The input of ${flow} has no field for a message: none of its texts is in the prompt. Run the flow with an input of your own.`,
};
