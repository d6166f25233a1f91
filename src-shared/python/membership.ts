import { countOperations } from './budget.ts';
import { PyDict } from './dict.ts';
import { hasItem, isSame } from './equality.ts';
import { typeError, valueError } from './errors.ts';
import { iterate } from './iterate.ts';
import { PySet } from './set.ts';
import { typeName } from './type-name.ts';
import { PyBytes, PyDictView, PyTuple, type PyValue } from './values.ts';

/** `item in container`. */
export function isIn(item: PyValue, container: PyValue): boolean {
  countOperations(1);
  if (typeof container === 'string') {
    if (typeof item !== 'string') throw typeError(`'in <string>' requires string as left operand, not ${typeName(item)}`);
    countOperations(container.length / 256);
    return container.includes(item);
  }
  if (container instanceof PyDict) return container.has(item);
  if (container instanceof PySet) return container.has(item instanceof PySet ? notInSet(item) : item);
  if (container instanceof PyDictView && container.kind === 'keys') return container.dict.has(item);
  if (container instanceof PyDictView && container.kind === 'items') return hasItem(container.dict, item);
  if (container instanceof PyBytes) return isInBytes(item, container);
  const next = iterate(container, `argument of type '${typeName(container)}' is not iterable`);
  for (let other = next(); other !== undefined; other = next()) if (isSame(other, item)) return true;
  return false;
}

/** A set is looked up as the frozenset with its elements, which no set here can hold. */
function notInSet(item: PySet): PyValue {
  return new PyTuple(['frozenset', ...item.unordered()]);
}

function isInBytes(item: PyValue, { bytes }: PyBytes): boolean {
  if (typeof item === 'bigint' || typeof item === 'boolean') {
    const byte = Number(item);
    if (byte < 0 || byte > 255) throw valueError('byte must be in range(0, 256)');
    return bytes.includes(byte);
  }
  if (!(item instanceof PyBytes)) throw typeError(`a bytes-like object is required, not '${typeName(item)}'`);
  return String.fromCharCode(...bytes).includes(String.fromCharCode(...item.bytes));
}
