import type { TransferableError } from '#shared/run/error.ts';

/** A short title for a failure, and what to do about it. */
export interface FailureHelp {
  readonly title: string;
  readonly advice: string;
}

const fixProblems = 'Fix the errors in the Problems panel, then run again.';

const byVariant: Record<TransferableError['variant'], FailureHelp> = {
  NotFound: { title: 'Not found', advice: 'It may have been deleted. Check the list of runs.' },
  BuildError: { title: 'The flow can’t be built', advice: fixProblems },
  Invalid: { title: 'The flow has errors', advice: fixProblems },
  SerializeError: {
    title: 'Output doesn’t match its schema',
    advice: 'Change what the node returns or the schema of the state, then run again.',
  },
  DeserializeError: {
    title: 'Input doesn’t match its schema',
    advice: 'Fix the field named in the message, or change the schema of the state.',
  },
  SnapLoadError: {
    title: 'The recorded run can’t be read',
    advice: 'The flow has changed too much since, or the journal is corrupt. Start a new run.',
  },
  SnapStoreError: {
    title: 'A step couldn’t be saved',
    advice: 'Check whether the disk is full or the folder is read-only. Nothing of this step was saved.',
  },
  AgentError: {
    title: 'The agent failed',
    advice: 'Check the conversation to see what the model said. Then change the prompt, the model or the tools.',
  },
  Deadlock: { title: 'The flow is stuck', advice: 'Some states wait, but no node can consume them. Check what each join waits for.' },
  ResumeRequired: { title: 'Waiting for your answer', advice: 'Answer in the Inbox to continue the run.' },
  UnexpectedResumption: { title: 'Nothing is waiting', advice: 'This was already answered, or the run has ended.' },
  ResumeMismatchError: {
    title: 'The run is waiting for something else',
    advice: 'This was already answered. Check the Inbox before you answer.',
  },
  StateConflict: {
    title: 'A state would be produced twice',
    advice: 'A state with this name is still waiting. Make sure it is consumed first.',
  },
  LimitExceeded: { title: 'Limit reached', advice: 'Check whether the flow loops. If not, raise the limit in the document.' },
  Cancelled: { title: 'Stopped', advice: 'The run was stopped. Start a new run when you are ready.' },
  HandlerError: { title: 'The node’s code threw an error', advice: 'Fix the node’s code, then continue.' },
  Conflict: { title: 'Another process is driving this run', advice: 'Wait until the run has paused or ended. Nothing ran twice.' },
  SecretInState: {
    title: 'A secret would be stored in a state',
    advice: 'Remove it from what the node returns. Write {secret:NAME} where it is needed.',
  },
  Io: { title: 'Can’t access a file or folder', advice: 'Check that it exists and that you may read or write it.' },
  Serialize: { title: 'The tool’s result can’t be stored', advice: 'Check what the tool returned.' },
  Deserialize: { title: 'Invalid tool input', advice: 'Fix the field named in the message.' },
  UnknownTool: { title: 'Unknown tool', advice: 'Choose a tool from the library.' },
  PathEscape: { title: 'Path outside the folder', advice: 'Tools can only access the open folder.' },
  ForbiddenCommand: {
    title: 'Command not allowed',
    advice: 'In a trusted folder, add it to "commands" in pravah.json, as narrowly as possible.',
  },
  Http: { title: 'Request failed', advice: 'Check that the address is reachable.' },
  Missing: { title: 'Something the tool needs is missing', advice: 'Install it, or choose another tool.' },
  Other: { title: 'A tool failed', advice: 'See the message.' },
  Timeout: { title: 'A tool timed out', advice: 'Raise its timeout, or give it less to do.' },
  Denied: { title: 'Tool call refused', advice: 'The tool tried to use something protected. The message names the rule.' },
};

/** Returns the title and advice for a failure; its message has the details. */
export function failureHelp({ variant, code }: TransferableError): FailureHelp {
  if (code === 'HOST_CONNECTION_LOST') return { title: 'Connection lost', advice: 'Reconnecting… Runs are saved on disk; none is lost.' };
  return byVariant[variant] ?? { title: 'Something failed', advice: 'See the message.' };
}
