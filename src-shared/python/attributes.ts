import { countOperations } from './budget.ts';
import { bytesMethods } from './bytes-methods.ts';
import { callValue } from './call-value.ts';
import { dictMethods } from './dict-methods.ts';
import { PythonError, typeError, unsupported } from './errors.ts';
import { listMethods, tupleMethods } from './list-methods.ts';
import type { Method, MethodTable } from './method.ts';
import { complexMethods, floatMethods, integerMethods } from './number-methods.ts';
import { setMethods } from './set-methods.ts';
import { textMethods } from './text-methods.ts';
import { typeName } from './type-name.ts';
import { PyCallable, PyComplex, PyDictView, PyGenerator, type PyKeywords, PySlice, type PyValue } from './values.ts';

const tables: Readonly<Record<string, MethodTable>> = {
  str: textMethods as MethodTable,
  list: listMethods as MethodTable,
  tuple: tupleMethods as MethodTable,
  dict: dictMethods as MethodTable,
  set: setMethods as MethodTable,
  int: integerMethods as MethodTable,
  bool: integerMethods as MethodTable,
  float: floatMethods as MethodTable,
  complex: complexMethods as MethodTable,
  bytes: bytesMethods as MethodTable,
};

/** `value.name(args)`. As in Python, the attribute is looked up before the arguments are evaluated. */
export function callMethod(value: PyValue, name: string, args: () => PyValue[], keywords: (() => PyKeywords) | undefined): PyValue {
  const method = tables[typeName(value)]?.get(name);
  if (!method) return callValue(getAttribute(value, name), args(), keywords?.());
  countOperations(1);
  return method.call(value, args(), keywords?.());
}

/** `value.name`. */
export function getAttribute(value: PyValue, name: string): PyValue {
  const type = typeName(value);
  const method = tables[type]?.get(name);
  if (method) return bound(value, name, method);
  const number = typeof value === 'boolean' ? BigInt(value) : value;
  if (typeof number === 'bigint' || typeof number === 'number') {
    if (name === 'real') return number;
    if (name === 'imag') return typeof number === 'bigint' ? 0n : 0;
    if (typeof number === 'bigint' && name === 'numerator') return number;
    if (typeof number === 'bigint' && name === 'denominator') return 1n;
  }
  if (value instanceof PyComplex && (name === 'real' || name === 'imag')) {
    if (value.inexact) throw unsupported('the digits of a complex power');
    return value[name];
  }
  if (value instanceof PyCallable && value.type === 'type') return typeAttribute(value, name);
  if (isOutside(value)) throw unsupported(`the attribute '${name}' of a ${type}`);
  throw new PythonError('AttributeError', `'${type}' object has no attribute '${name}'`);
}

/** Attributes of these are not taken at all. */
function isOutside(value: PyValue): boolean {
  return value instanceof PyGenerator || value instanceof PyDictView || value instanceof PySlice || typeName(value) === 'bytes';
}

function bound(self: PyValue, name: string, method: Method): PyCallable {
  return new PyCallable('builtin_function_or_method', name, (args, keywords) => method.call(self, args, keywords), { self });
}

function typeAttribute({ name: type }: PyCallable, name: string): PyValue {
  const method = tables[type]?.get(name);
  if (!method) {
    if (['real', 'imag', 'numerator', 'denominator', 'mro'].includes(name)) throw unsupported(`the attribute '${name}' of a type`);
    throw new PythonError('AttributeError', `type object '${type}' has no attribute '${name}'`);
  }
  if (method.isStatic) return bound(type === 'bool' ? false : null, name, method);
  const owner = type === 'bool' ? 'int' : type;
  return new PyCallable(
    'method_descriptor',
    name,
    (args, keywords) => {
      const [self, ...rest] = args;
      if (self === undefined) throw typeError(`unbound method ${owner}.${name}() needs an argument`);
      const actual = typeName(self);
      if (actual !== owner && !(owner === 'int' && actual === 'bool')) {
        throw typeError(`descriptor '${name}' for '${owner}' objects doesn't apply to a '${actual}' object`);
      }
      return method.call(self, rest, keywords);
    },
    { owner },
  );
}
