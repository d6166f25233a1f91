export { defaultPythonBudget, type PythonBudget } from './budget.ts';
export { PythonError, PythonStop, type PythonStopReason } from './errors.ts';
export { evaluatePython } from './evaluate.ts';
export { fromJson, jsonDumps, type KeyOrders, type PythonJson, type PythonJsonFailure, toJson } from './json.ts';
export { type PythonExpression, parsePython } from './parse.ts';
export type { PythonProblem } from './problem.ts';
export { pyRepr, pyStr } from './repr.ts';
export { typeName } from './type-name.ts';
export type { PyValue } from './values.ts';
