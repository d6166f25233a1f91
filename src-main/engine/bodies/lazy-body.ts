import type { Step } from '#main/engine/step/step.ts';

type InStep<Result> = (step: Step) => Result | Promise<Result>;

/**
 * Makes what runs in a step of a module that is loaded when the first such step is made: most flows have few kinds of bodies, and some
 * need parsers that are larger than the engine. Only the first step answers with a promise on this account.
 */
export function loadAtNeed<Subject, Result = unknown>(
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
