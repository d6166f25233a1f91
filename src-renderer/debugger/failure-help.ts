import type { TransferableError } from '#shared/runtime/error.ts';

/** What failed, in a few words, and what to do about it. */
export interface FailureHelp {
  readonly title: string;
  readonly advice: string;
}

const byVariant: Record<TransferableError['variant'], FailureHelp> = {
  NotFound: { title: 'Not found', advice: 'It may have been removed meanwhile. Open the list of runs to see what is there.' },
  BuildError: { title: 'The flow cannot be built', advice: 'Fix what the Problems panel lists, then run again.' },
  Invalid: { title: 'The flow has errors', advice: 'Fix what the Problems panel lists, then run again.' },
  SerializeError: {
    title: 'A result does not fit its schema',
    advice: 'Change what the node returns, or the schema of the state, then run again.',
  },
  DeserializeError: {
    title: 'The input does not fit its schema',
    advice: 'Change the input at the field named, or the schema of the state.',
  },
  SnapLoadError: {
    title: 'The recorded run cannot be read',
    advice: 'The flow has changed too much since, or the journal is damaged. Start a new run.',
  },
  SnapStoreError: {
    title: 'A step could not be written down',
    advice: 'See whether the disk is full or the folder is read-only. Nothing of the step was kept.',
  },
  AgentError: {
    title: 'The agent failed',
    advice: 'Look at the conversation to see what the model said; change the prompt, the model or its tools.',
  },
  Deadlock: { title: 'The flow is stuck', advice: 'States wait that no node can take. Look at what each join waits for.' },
  ResumeRequired: { title: 'The run waits for an answer', advice: 'Answer in the Waiting panel; the run goes on from there.' },
  UnexpectedResumption: { title: 'Nothing waits any more', advice: 'This was answered already, or the run has ended.' },
  ResumeMismatchError: {
    title: 'Something else waits now',
    advice: 'This was answered already. Look at what waits now before you answer.',
  },
  StateConflict: {
    title: 'A state would be produced twice',
    advice: 'One of that name still waits. Change the flow so that it is consumed first.',
  },
  LimitExceeded: { title: 'A limit was reached', advice: 'See whether the flow loops; if not, raise the limit in the document.' },
  Cancelled: { title: 'Stopped', advice: 'The run was stopped. Start it again when you like.' },
  HandlerError: { title: 'The node’s code failed', advice: 'Fix the code of the node, then continue with the fixed flow.' },
  Conflict: { title: 'Another process drives this run', advice: 'Wait until it has paused or ended; nothing was done twice.' },
  SecretInState: {
    title: 'A secret would have entered a state',
    advice: 'Keep it out of what the node returns; name it as {secret:NAME} where it is needed.',
  },
  Io: { title: 'A file or folder could not be used', advice: 'See whether it exists and may be read or written.' },
  Serialize: { title: 'A tool’s result cannot be written down', advice: 'See what the tool returned.' },
  Deserialize: { title: 'A tool’s input is not of its form', advice: 'Change the arguments at the field named.' },
  UnknownTool: { title: 'There is no such tool', advice: 'Choose one of those that the library lists.' },
  PathEscape: { title: 'A path leads out of the folder', advice: 'Tools work inside the open folder only.' },
  ForbiddenCommand: { title: 'A command is not allowed', advice: 'Add it to "commands" in pravah.json, as narrowly as it is needed.' },
  Http: { title: 'A request failed', advice: 'See whether the address can be reached.' },
  Missing: { title: 'Something the tool needs is missing', advice: 'Install it, or choose another tool.' },
  Other: { title: 'A tool failed', advice: 'See its message.' },
  Timeout: { title: 'A tool took too long', advice: 'Raise its timeout, or give it less to do.' },
  Denied: { title: 'A tool was refused', advice: 'What it wanted is protected. Its message says by which rule.' },
};

/** Title and advice for a failure; its own message says the rest. */
export function failureHelp({ variant, code }: TransferableError): FailureHelp {
  if (code === 'HOST_CONNECTION_LOST')
    return { title: 'The studio does not answer', advice: 'It is tried again by itself. Runs are on disk; none is lost.' };
  return byVariant[variant] ?? { title: 'Something failed', advice: 'See its message.' };
}
