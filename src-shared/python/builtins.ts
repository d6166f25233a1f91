import { maximum, minimum } from './builtin-extremes.ts';
import { round } from './builtin-round.ts';
import { absolute, all, any, length } from './builtin-simple.ts';
import { sorted } from './builtin-sorted.ts';
import { sum } from './builtin-sum.ts';
import { toBool, toFloatType, toInteger, toList, toText, toTuple } from './builtin-types.ts';
import { PyCallable, type PyKeywords, type PyValue } from './values.ts';

const functions = { abs: absolute, all, any, len: length, max: maximum, min: minimum, round, sorted, sum };
const types = { bool: toBool, float: toFloatType, int: toInteger, list: toList, str: toText, tuple: toTuple };

type Call = (args: PyValue[], keywords?: PyKeywords) => PyValue;

/** The names that PyFlow's sandbox has. */
export const builtins: ReadonlyMap<string, PyValue> = new Map<string, PyValue>([
  ...Object.entries<Call>(functions).map(([name, call]) => [name, new PyCallable('builtin_function_or_method', name, call)] as const),
  ...Object.entries<Call>(types).map(([name, call]) => [name, new PyCallable('type', name, call)] as const),
]);
