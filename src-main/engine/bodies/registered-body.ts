import type { EvaluateBody } from '#main/engine/step/node-plan.ts';
import type { RunContext } from '#main/engine/step/run-context.ts';
import { FlowError } from '#shared/run/error.ts';

/** Where a kind of body is registered. */
interface Registration<Subject, Loaded> {
  /** What the context registers; undefined where it has none. */
  readonly of: (ctx: RunContext) => (() => Promise<Loaded>) | undefined;
  readonly evaluator: (loaded: Loaded, subject: Subject) => EvaluateBody;
  /** Why a node cannot run where it is missing, and what to do. */
  readonly missing: string;
}

/** Evaluates a kind of body with what the context registers. Only the first step of a process waits for it to load. */
export function registeredBody<Subject, Loaded>({
  of,
  evaluator,
  missing,
}: Registration<Subject, Loaded>): (subject: Subject) => EvaluateBody {
  type Load = () => Promise<Loaded>;
  /** What was loaded so far: a node waits only if it is the first of all. */
  const loaded = new WeakMap<Load, Loaded>();
  return (subject) => {
    let last: { readonly load: Load; readonly evaluate: EvaluateBody } | undefined;
    const evaluate = (load: Load, found: Loaded): EvaluateBody => {
      last = { load, evaluate: evaluator(found, subject) };
      return last.evaluate;
    };
    return (step) => {
      const load = of(step.ctx);
      if (load === undefined) throw new FlowError('BuildError', `${step.node} cannot run: ${missing}.`, { node: step.node });
      if (last?.load === load) return last.evaluate(step);
      const found = loaded.get(load);
      if (found !== undefined) return evaluate(load, found)(step);
      return load().then((made) => {
        loaded.set(load, made);
        return (last?.load === load ? last.evaluate : evaluate(load, made))(step);
      });
    };
  };
}
