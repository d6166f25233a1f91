import { realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { cannotWait } from '#main/engine/bodies/cannot-wait.ts';
import { HandlerSession } from '#main/engine/bodies/handler-session.ts';
import type { CallTarget, CodeProcess, ModuleError } from '#main/engine/ports/code-process.ts';
import { cancelled } from '#main/engine/step/cancelled.ts';
import type { Step } from '#main/engine/step/step.ts';
import type { AllowedTools } from '#main/engine/tool-calls/tool-policy.ts';
import type { Json } from '#shared/json.ts';
import { FlowError, ToolError } from '#shared/run/error.ts';

type Target<T = CallTarget> = T extends CallTarget ? Omit<T, 'file'> : never;

/** A function of the workspace's own code: `file` is relative to the workspace. */
export type ModuleFunction = Target & { readonly file: string };

/**
 * Calls a function of a trusted workspace's own code in the run's module process, which is made again when it has ended. The function's `ctx` speaks to
 * the step. A function that outlives the flow's `limits.seconds` is ended with its process.
 */
export async function callModule(step: Step, called: ModuleFunction, allowed: AllowedTools): Promise<unknown> {
  const { ctx, node } = step;
  if (!ctx.trusted) throw new FlowError('BuildError', `${node} runs code of this folder (${called.file}), which is not trusted.`, { node });
  const target: CallTarget = { ...called, file: await fileInside(ctx.working_dir, called.file, node) };
  if (ctx.signal.aborted) throw cancelled(node);
  const session = await HandlerSession.forCode(step, allowed);
  const child = await processOf(step);
  const stop = (): void => child.dispose();
  const endTimer = whenOutOfTime(step, () => child.dispose(tooLate));
  ctx.signal.addEventListener('abort', stop, { once: true });
  const failures = new Map<number, Error>();
  try {
    const outcome = await child.request(
      { type: 'call_handler', target, args: step.values, node, tools: [...allowed.keys()], now: session.now, seed: session.seed },
      {
        log: (values) => session.log(values),
        tool: async (call, name, input) => {
          const answer = await session.call(name, input);
          if (answer === null) throw session.failure ?? cannotWait(node, name);
          if ('result' in answer) return answer;
          failures.set(call, answer.error);
          const { variant, code } = answer.error instanceof ToolError ? answer.error.toJSON() : { variant: 'Other', code: '' };
          return { error: { message: answer.error.message, variant, code } };
        },
      },
    );
    await session.close();
    if ('error' in outcome) throw thrownBy(step, outcome.error, failures);
    if ('impure' in outcome) throw step.notJson(outcome.impure);
    return 'value' in outcome ? outcome.value : undefined;
  } catch (error) {
    if (error instanceof Error && error.message === tooLate) throw outOfTime(step);
    throw error;
  } finally {
    endTimer();
    ctx.signal.removeEventListener('abort', stop);
  }
}

const tooLate = 'the flow has no time left';
/** The longest that a timer can wait, in milliseconds. */
const maxDelay = 2 ** 31 - 1;

/** Calls back once the flow has no time left. The time for which the run is held does not count. Returns what ends the timer. */
function whenOutOfTime(step: Step, callback: () => void): () => void {
  const { held = () => 0 } = step.ctx.clock;
  const end = performance.now() - held() + secondsLeft(step) * 1000;
  let timer: NodeJS.Timeout;
  const wait = (): void => {
    const left = end - (performance.now() - held());
    timer = setTimeout(left <= 0 ? callback : wait, Math.min(maxDelay, Math.max(0, left)));
  };
  wait();
  return () => clearTimeout(timer);
}

function secondsLeft({ run }: Step): number {
  return Math.max(0, run.limits.seconds - run.counted().seconds);
}

function outOfTime({ node, run }: Step): FlowError {
  const { seconds } = run.limits;
  const message = `The handler of ${node} did not finish within the flow's limit of ${seconds.toLocaleString('en')} seconds and was terminated. Raise limits.seconds in the flow, or look for a loop that does not end.`;
  return new FlowError('LimitExceeded', message, { node, details: { limit: 'seconds', value: seconds } });
}

async function processOf({ run, ctx, node }: Step): Promise<CodeProcess> {
  const { modules } = run.resources;
  if (modules?.usable) return modules;
  if (ctx.codeProcess === undefined) {
    const message = `${node} runs code of this folder, and this context starts no process for it. Open the flow with the studio or pravah run.`;
    throw new FlowError('BuildError', message, { node });
  }
  const start = await ctx.codeProcess();
  const started = start(ctx.working_dir);
  run.resources.modules = started;
  return started;
}

async function fileInside(folder: string, file: string, node: string): Promise<string> {
  const real = await realpath(join(folder, file)).catch(() => null);
  if (real?.startsWith(folder + sep)) return real;
  const reason = real === null ? 'is not there' : 'lies outside the folder';
  throw new FlowError('BuildError', `${node} runs ${file}, which ${reason}.`, { node });
}

function thrownBy({ node }: Step, error: ModuleError, failures: ReadonlyMap<number, Error>): FlowError {
  const cause = error.call === undefined ? undefined : failures.get(error.call);
  const plain = error.name === undefined || error.name === 'Error' || error.name === 'FlowError';
  const said = plain ? error.message : `${error.name}: ${error.message}`;
  const details: Json = error.stack ? { stack: error.stack } : {};
  return new FlowError('HandlerError', `The handler of ${node} failed: ${said}`, {
    node,
    details,
    ...(error.retryable !== undefined && { retryable: error.retryable }),
    ...(cause instanceof ToolError && { cause: cause.toJSON() }),
  });
}
