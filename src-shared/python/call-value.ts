import { countOperations } from './budget.ts';
import { typeError } from './errors.ts';
import { typeName } from './type-name.ts';
import { PyCallable, type PyKeywords, type PyValue } from './values.ts';

/** Calls a value. */
export function callValue(called: PyValue, args: PyValue[], keywords?: PyKeywords): PyValue {
  countOperations(1);
  if (!(called instanceof PyCallable)) throw typeError(`'${typeName(called)}' object is not callable`);
  return called.call(args, keywords);
}
