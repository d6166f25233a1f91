import { countOperations } from './budget.ts';
import { PyDict } from './dict.ts';
import { PythonError, typeError, valueError } from './errors.ts';
import { isIterable, iterate, toArray } from './iterate.ts';
import { MethodTableBuilder } from './method.ts';
import { pyRepr } from './repr.ts';
import { bindBuiltin } from './signature.ts';
import { typeName } from './type-name.ts';
import { PyDictView, PyTuple, type PyValue } from './values.ts';

/** Methods of `dict`. */
export const dictMethods = new MethodTableBuilder<PyDict>('dict')
  .none('clear', (dict) => {
    dict.clear();
    return null;
  })
  .none('copy', (dict) => {
    countOperations(dict.size);
    return PyDict.of(dict.entries());
  })
  .raw(
    'fromkeys',
    (_, args, keywords) => {
      const [keys, value = null] = bindBuiltin('dict.fromkeys', { kind: 'positional', min: 1, max: 2 }, args, keywords);
      const dict = new PyDict();
      const next = iterate(keys as PyValue);
      for (let key = next(); key !== undefined; key = next()) dict.set(key, value);
      return dict;
    },
    { isStatic: true },
  )
  .positional('get', 1, 2, (dict, key, missing = null) => {
    const value = dict.get(key as PyValue);
    return value === undefined ? missing : value;
  })
  .none('items', (dict) => new PyDictView(dict, 'items'))
  .none('keys', (dict) => new PyDictView(dict, 'keys'))
  .none('values', (dict) => new PyDictView(dict, 'values'))
  .positional('pop', 1, 2, (dict, key, missing) => {
    // An empty dict does not hash the key.
    const value = dict.size === 0 ? undefined : dict.delete(key as PyValue);
    if (value !== undefined) return value;
    if (missing === undefined) throw new PythonError('KeyError', pyRepr(key as PyValue));
    return missing;
  })
  .none('popitem', (dict) => {
    countOperations(dict.size / 16);
    const last = dict.last();
    if (!last) throw new PythonError('KeyError', "'popitem(): dictionary is empty'");
    dict.delete(last[0]);
    return new PyTuple(last);
  })
  .positional('setdefault', 1, 2, (dict, key, value = null) => {
    const found = dict.get(key as PyValue);
    if (found !== undefined) return found;
    dict.set(key as PyValue, value);
    return value;
  })
  .raw('update', (dict, args, keywords) => {
    if (args.length > 1) throw typeError(`update expected at most 1 argument, got ${args.length}`);
    if (args[0] !== undefined) update(dict, args[0]);
    for (const [key, value] of keywords ?? []) dict.set(key, value);
    return null;
  })
  .build();

function update(dict: PyDict, other: PyValue): void {
  if (other instanceof PyDict) {
    countOperations(other.size);
    for (const [key, value] of [...other.entries()]) dict.set(key, value);
    return;
  }
  const next = iterate(other);
  let index = 0;
  for (let pair = next(); pair !== undefined; pair = next(), index++) {
    if (!isIterable(pair)) throw typeError(`cannot convert dictionary update sequence element #${index} to a sequence`);
    const items = toArray(pair, typeName(pair));
    if (items.length !== 2) throw valueError(`dictionary update sequence element #${index} has length ${items.length}; 2 is required`);
    dict.set(items[0] as PyValue, items[1] as PyValue);
  }
}
