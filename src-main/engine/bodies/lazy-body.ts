import type { Step } from '#main/engine/step/step.ts';

type InStep<Result> = (step: Step) => Result | Promise<Result>;

/**
 * Loads a body's module lazily, on the first step that needs it: most flows have few kinds of bodies, and some need parsers that are
 * larger than the engine. Only that first step returns a promise for this reason.
 */
export function lazyBody<Subject, Result = unknown>(
  load: () => Promise<(subject: Subject) => InStep<Result>>,
): (subject: Subject) => InStep<Result> {
  let make: ((subject: Subject) => InStep<Result>) | undefined;
  return (subject) => {
    let perform: InStep<Result> | undefined;
    return (step) => {
      if (make !== undefined) perform ??= make(subject);
      if (perform !== undefined) return perform(step);
      return load().then((loaded) => {
        make = loaded;
        perform ??= make(subject);
        return perform(step);
      });
    };
  };
}
