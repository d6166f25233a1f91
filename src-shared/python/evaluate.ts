import { defaultPythonBudget, type PythonBudget, withBudget } from './budget.ts';
import { PythonStop } from './errors.ts';
import { globalFrame } from './frame.ts';
import type { PythonExpression } from './parse.ts';
import type { PyValue } from './values.ts';

/**
 * Evaluates an expression. `globals` are its inputs by name; they shadow functions and are left as they are.
 * Throws `PythonError` for a Python exception, and `PythonStop` when a budget is used up or the value is not certain.
 */
export function evaluatePython(
  { program }: PythonExpression,
  globals: ReadonlyMap<string, PyValue>,
  budget: PythonBudget = defaultPythonBudget,
): PyValue {
  const names = program.writesGlobals ? new Map(globals) : (globals as Map<string, PyValue>);
  return guarded(() => withBudget(budget, () => program.run(globalFrame(names))));
}

/** Turns the end of JavaScript's stack and of its longest texts into a `PythonStop`. */
export function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) {
      throw new PythonStop('depth', 'The expression or a value in it is nested too deeply. Make it a code agent.');
    }
    throw error;
  }
}
