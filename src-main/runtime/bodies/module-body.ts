import { realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { BodyOf } from '#main/runtime/bodies/body.ts';
import { handlerEffect } from '#main/runtime/bodies/handler-effect.ts';
import { HandlerSession } from '#main/runtime/handler-session.ts';
import { type ModuleError, ModuleProcess } from '#main/runtime/module-process/module-process.ts';
import type { EvaluateBody } from '#main/runtime/plan.ts';
import type { Step } from '#main/runtime/step.ts';
import { cancelled } from '#main/runtime/step-failure.ts';
import { type AllowedTools, allowedTools } from '#main/runtime/tool-policy.ts';
import type { Json } from '#shared/json.ts';
import { FlowError, ToolError } from '#shared/runtime/error.ts';

/** A function of a trusted workspace's own file, run as ordinary Node code in a process of its own. */
export function evaluateModuleBody(body: BodyOf<'module'>): EvaluateBody {
  const allowed = allowedTools(body.tools);
  return (step) => handlerEffect(step, `${body.file}#${body.export}`, () => callModule(step, body, allowed));
}

async function callModule(step: Step, body: BodyOf<'module'>, allowed: AllowedTools): Promise<unknown> {
  const { ctx, node } = step;
  if (!ctx.trusted) throw new FlowError('BuildError', `${node} runs code of this folder (${body.file}), which is not trusted.`, { node });
  const file = await fileInside(ctx.working_dir, body.file, node);
  if (ctx.signal.aborted) throw cancelled(node);
  const session = new HandlerSession(step, allowed);
  const child = processOf(step);
  const stop = (): void => child.dispose();
  ctx.signal.addEventListener('abort', stop, { once: true });
  const failures = new Map<number, Error>();
  try {
    const outcome = await child.call({
      file,
      export: body.export,
      args: step.values,
      node,
      tools: [...allowed.keys()],
      now: session.now,
      seed: session.seed,
      log: (values) => session.log(values),
      tool: async (call, name, input) => {
        const answer = await session.call(name, input);
        if (answer === null) throw session.failure ?? cannotWait(node, name);
        if ('result' in answer) return answer;
        failures.set(call, answer.error);
        const { variant, code } = answer.error instanceof ToolError ? answer.error.toJSON() : { variant: 'Other', code: '' };
        return { error: { message: answer.error.message, variant, code } };
      },
    });
    await session.close();
    if ('error' in outcome) throw thrownBy(step, outcome.error, failures);
    return outcome.value;
  } finally {
    ctx.signal.removeEventListener('abort', stop);
  }
}

function processOf({ run, ctx }: Step): ModuleProcess {
  const { modules } = run.resources;
  if (modules instanceof ModuleProcess && modules.usable) return modules;
  const made = new ModuleProcess(ctx.working_dir);
  run.resources.modules = made;
  return made;
}

async function fileInside(folder: string, file: string, node: string): Promise<string> {
  const real = await realpath(join(folder, file)).catch(() => null);
  if (real?.startsWith(folder + sep)) return real;
  const reason = real === null ? 'is not there' : 'lies outside the folder';
  throw new FlowError('BuildError', `${node} runs ${file}, which ${reason}.`, { node });
}

/** The failure of plain code that calls a tool which asks somebody: it cannot be left in the middle and run again. */
export function cannotWait(node: string, tool: string): FlowError {
  const message = `The tool ${tool} asks somebody, and the handler of ${node} cannot wait. Call it from an agent, a tool body or a sandboxed body.`;
  return new FlowError('HandlerError', message, { node, retryable: false });
}

function thrownBy({ node }: Step, error: ModuleError, failures: ReadonlyMap<number, Error>): FlowError {
  const cause = error.call === undefined ? undefined : failures.get(error.call);
  const said = error.name && error.name !== 'Error' ? `${error.name}: ${error.message}` : error.message;
  const details: Json = error.stack ? { stack: error.stack } : {};
  return new FlowError('HandlerError', `The handler of ${node} failed: ${said}`, {
    node,
    details,
    ...(error.retryable !== undefined && { retryable: error.retryable }),
    ...(cause instanceof ToolError && { cause: cause.toJSON() }),
  });
}
