import { valueError } from './errors.ts';
import type { Frame } from './frame.ts';
import { iterate } from './iterate.ts';
import type { Scope } from './scope.ts';
import type { Target } from './tree.ts';
import { typeName } from './type-name.ts';
import { PyList, type PyValue } from './values.ts';

type Assign = (frame: Frame, value: PyValue) => void;

/** Compiles what `for` assigns to. */
export function compileTarget(target: Target, scope: Scope): Assign {
  if (target.kind === 'name') {
    const index = scope.names.indexOf(target.id);
    return (frame, value) => {
      frame.slots[index] = value;
    };
  }
  const assigns = target.items.map((item) => compileTarget(item, scope));
  const { starred } = target;
  return (frame, value) => {
    const values = starred < 0 ? unpack(value, assigns.length) : unpackStarred(value, starred, assigns.length - starred - 1);
    assigns.forEach((assign, index) => {
      assign(frame, values[index] as PyValue);
    });
  };
}

function unpack(value: PyValue, count: number): readonly PyValue[] {
  const next = iterate(value, `cannot unpack non-iterable ${typeName(value)} object`);
  const values: PyValue[] = [];
  for (let item = next(); item !== undefined; item = next()) {
    if (values.length === count) throw valueError(`too many values to unpack (expected ${count})`);
    values.push(item);
  }
  if (values.length < count) throw valueError(`not enough values to unpack (expected ${count}, got ${values.length})`);
  return values;
}

function unpackStarred(value: PyValue, before: number, after: number): readonly PyValue[] {
  const next = iterate(value, `cannot unpack non-iterable ${typeName(value)} object`);
  const values: PyValue[] = [];
  for (let item = next(); item !== undefined; item = next()) values.push(item);
  if (values.length < before + after) {
    throw valueError(`not enough values to unpack (expected at least ${before + after}, got ${values.length})`);
  }
  const end = values.length - after;
  return [...values.slice(0, before), new PyList(values.slice(before, end)), ...values.slice(end)];
}
