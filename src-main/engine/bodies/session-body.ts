import type { EvaluateBody } from '#main/engine/step/node-plan.ts';
import type { LoadSessionBodies } from '#main/engine/step/run-context.ts';
import { FlowError } from '#shared/run/error.ts';
import type { BodyOf } from './body.ts';

type MakeEvaluator = Awaited<ReturnType<LoadSessionBodies>>;

/** What was loaded so far: a node waits only if it is the first of all. */
const loaded = new WeakMap<LoadSessionBodies, MakeEvaluator>();

/** Evaluates a session body with what the context registers. Only the first step of a process waits for it to load. */
export function evaluateSessionBody(body: BodyOf<'session'>): EvaluateBody {
  const evaluators = new WeakMap<LoadSessionBodies, EvaluateBody>();
  const evaluatorOf = (load: LoadSessionBodies, makeEvaluator: MakeEvaluator): EvaluateBody => {
    const evaluate = makeEvaluator(body);
    evaluators.set(load, evaluate);
    return evaluate;
  };
  return (step) => {
    const load = step.ctx.sessionBodies;
    if (load === undefined) {
      const why = 'this context has no session bodies. Create the context with createContext';
      throw new FlowError('BuildError', `${step.node} cannot run: ${why}.`, { node: step.node });
    }
    const known = evaluators.get(load);
    if (known !== undefined) return known(step);
    const makeEvaluator = loaded.get(load);
    if (makeEvaluator !== undefined) return evaluatorOf(load, makeEvaluator)(step);
    return load().then((make) => {
      loaded.set(load, make);
      return (evaluators.get(load) ?? evaluatorOf(load, make))(step);
    });
  };
}
