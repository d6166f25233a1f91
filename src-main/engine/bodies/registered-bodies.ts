import type { CodeBodies } from '#main/engine/step/run-context.ts';
import type { BodyOf } from './body.ts';
import { registeredBody } from './registered-body.ts';

const advice = 'Create the context with createContext of pravah';

/** Evaluates the bodies of imported workflows. */
export const evaluateSessionBody = registeredBody({
  of: (ctx) => ctx.sessionBodies,
  evaluator: (makeEvaluator, body: BodyOf<'session'>) => makeEvaluator(body),
  missing: `this context has no session bodies. ${advice}`,
});

/** Evaluates JavaScript bodies. */
export const evaluateSandboxBody = registeredBody({
  of: (ctx) => ctx.sandboxBodies,
  evaluator: (makeEvaluator, body: BodyOf<'run'>) => makeEvaluator(body),
  missing: `this context has no sandbox for its JavaScript body. ${advice}`,
});

/** Evaluates functions of the workspace's own files. */
function codeBody<Type extends keyof CodeBodies>(type: Type) {
  return registeredBody({
    of: (ctx) => ctx.codeBodies,
    evaluator: (bodies, body: BodyOf<Type>) => bodies[type](body),
    missing: `this context runs no code of a folder. ${advice}`,
  });
}

export const evaluateModuleBody = codeBody('module');
export const evaluateHandlerBody = codeBody('handler');
