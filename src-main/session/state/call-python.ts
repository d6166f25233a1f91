import type { PythonCall, PythonOutcome, PythonProcess } from '#main/engine/ports/python-process.ts';
import { findSecret, maskSecrets } from '#main/engine/secrets/mask.ts';
import type { Step } from '#main/engine/step/step.ts';
import { type Json, toJson } from '#shared/json.ts';
import { FlowError } from '#shared/run/error.ts';
import { authorOf } from './author.ts';

/** An outcome as it is on record. */
export type RecordedOutcome = Exclude<PythonOutcome, { readonly not_json: string }>;

/**
 * Calls the user's Python for a step. What it prints is logged. Throws `FlowError` `BuildError` in a folder that is not trusted, `HandlerError` for
 * a result that is not JSON, and `SecretInState`.
 */
export async function callPython(step: Step, call: Omit<PythonCall, 'flow'>): Promise<RecordedOutcome> {
  const { ctx, node } = step;
  const log = (line: string): void => {
    if (step.listening) step.emit({ type: 'log', node, level: 'info', values: [line] });
  };
  const outcome = await pythonOf(step, call.name).call({ ...call, flow: step.flow.source }, { signal: ctx.signal, log });
  if ('not_json' in outcome) {
    const message = `The result of ${authorOf(step)} is not JSON serializable: ${outcome.not_json}`;
    throw new FlowError('HandlerError', message, { node, retryable: false });
  }
  if ('error' in outcome) return maskSecrets(ctx.secrets, outcome);
  const secret = findSecret(ctx.secrets, toJson({ value: outcome.value, writes: outcome.writes }) as Json);
  if (!secret) return outcome;
  const message = `The result of ${call.name} contains the secret ${secret.name}, which must not enter the run.`;
  throw new FlowError('SecretInState', message, { node, details: { secret: secret.name } });
}

function pythonOf({ ctx, node }: Step, name: string): PythonProcess {
  if (!ctx.trusted) {
    const message = `${node} runs Python code of this folder (${name}), which is not trusted. Trust the folder (--trust) to run it.`;
    throw new FlowError('BuildError', message, { node });
  }
  if (ctx.python) return ctx.python;
  const message = `${node} runs Python code of this folder, and this context starts no Python. Run the flow with the studio or pravah run.`;
  throw new FlowError('BuildError', message, { node });
}
