export { PythonError, PythonStop } from './errors.ts';
export { evaluatePython } from './evaluate.ts';
export { fromJson, jsonDumps, type KeyOrders, toJson } from './json.ts';
export { type PythonExpression, parsePython } from './parse.ts';
export { pyRepr, pyStr } from './repr.ts';
export type { PyValue } from './values.ts';
