import type { PyValue } from './values.ts';

/** The name of a value's type, as Python's errors use it. */
export function typeName(value: PyValue): string {
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int';
    case 'number':
      return 'float';
    case 'string':
      return 'str';
    default:
      return value === null ? 'NoneType' : value.type;
  }
}
