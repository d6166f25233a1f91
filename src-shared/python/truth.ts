import { PyDict } from './dict.ts';
import { PySet } from './set.ts';
import { PyBytes, PyComplex, PyDictView, PyList, PyTuple, type PyValue } from './values.ts';

/** `bool(value)`. */
export function isTrue(value: PyValue): boolean {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'object') return typeof value === 'number' ? value !== 0 : Boolean(value);
  if (value === null) return false;
  if (value instanceof PyList || value instanceof PyTuple) return value.items.length > 0;
  if (value instanceof PyDict || value instanceof PySet) return value.size > 0;
  if (value instanceof PyDictView) return value.dict.size > 0;
  if (value instanceof PyBytes) return value.bytes.length > 0;
  if (value instanceof PyComplex) return value.real !== 0 || value.imag !== 0;
  return true;
}
