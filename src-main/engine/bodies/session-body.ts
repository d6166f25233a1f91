import type { EvaluateBody } from '#main/engine/step/node-plan.ts';
import type { LoadSessionBodies } from '#main/engine/step/run-context.ts';
import { FlowError } from '#shared/run/error.ts';
import type { BodyOf } from './body.ts';

/** Evaluates a session body with what the context registers. Only the first step waits for it to load. */
export function evaluateSessionBody(body: BodyOf<'session'>): EvaluateBody {
  const evaluators = new WeakMap<LoadSessionBodies, EvaluateBody>();
  return (step) => {
    const load = step.ctx.sessionBodies;
    if (load === undefined) {
      const why = 'this context has no session bodies. Create the context with createContext';
      throw new FlowError('BuildError', `${step.node} cannot run: ${why}.`, { node: step.node });
    }
    const known = evaluators.get(load);
    if (known !== undefined) return known(step);
    return load().then((makeEvaluator) => {
      const evaluate = evaluators.get(load) ?? makeEvaluator(body);
      evaluators.set(load, evaluate);
      return evaluate(step);
    });
  };
}
