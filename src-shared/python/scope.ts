import { builtins } from './builtins.ts';
import type { Evaluate } from './compile.ts';
import { PythonError } from './errors.ts';
import type { Frame } from './frame.ts';
import type { PyValue } from './values.ts';

/** Which names an expression's part has of its own. Each scope but the module's has a frame. */
export interface Scope {
  readonly kind: 'module' | 'lambda' | 'comprehension' | 'generator';
  readonly names: readonly string[];
  /** The qualified name of the function that this is part of; empty for the module. */
  readonly qualifiedName: string;
  readonly outer: Scope | undefined;
}

export const moduleScope = (): Scope => ({ kind: 'module', names: [], qualifiedName: '', outer: undefined });

function find(id: string, scope: Scope): { readonly hops: number; readonly index: number; readonly scope: Scope } | undefined {
  let hops = 0;
  for (let at: Scope | undefined = scope; at; at = at.outer) {
    const index = at.names.indexOf(id);
    if (index >= 0) return { hops, index, scope: at };
    hops++;
  }
  return undefined;
}

function frameAt(frame: Frame, hops: number): Frame {
  let found = frame;
  for (let count = 0; count < hops; count++) found = found.outer as Frame;
  return found;
}

/** The qualified name of a function defined in a scope, as errors print it. */
export function qualify(name: '<lambda>' | '<genexpr>', { qualifiedName }: Scope): string {
  if (qualifiedName === '') return name;
  return qualifiedName.endsWith('<lambda>') ? `${qualifiedName}.<locals>.${name}` : `${qualifiedName}.${name}`;
}

/** Reads a name. */
export function compileName(id: string, scope: Scope): Evaluate {
  const found = find(id, scope);
  if (!found) return compileGlobal(id);
  const { hops, index } = found;
  const unbound = () =>
    new PythonError(isFree(scope, found.scope) ? 'NameError' : 'UnboundLocalError', unboundMessage(id, isFree(scope, found.scope)));
  return (frame) => {
    const value = frameAt(frame, hops).slots[index];
    if (value === undefined) throw unbound();
    return value;
  };
}

function unboundMessage(id: string, isFreeVariable: boolean): string {
  return isFreeVariable
    ? `cannot access free variable '${id}' where it is not associated with a value in enclosing scope`
    : `cannot access local variable '${id}' where it is not associated with a value`;
}

/** True when a function lies between the use and the variable; comprehensions are part of the function around them. */
function isFree(use: Scope, owner: Scope): boolean {
  for (let at = use; at !== owner; at = at.outer as Scope) if (at.kind === 'lambda' || at.kind === 'generator') return true;
  return false;
}

function compileGlobal(id: string): Evaluate {
  const builtin = builtins.get(id);
  return (frame) => {
    const value = frame.globals.get(id) ?? (frame.globals.has(id) ? null : builtin);
    if (value === undefined) throw new PythonError('NameError', `name '${id}' is not defined`);
    return value;
  };
}

/** Writes a name as `:=` does: in the nearest lambda, or else in the globals. */
export function compileStore(id: string, scope: Scope): (frame: Frame, value: PyValue) => void {
  let hops = 0;
  let at = scope;
  while (at.kind === 'comprehension' || at.kind === 'generator') {
    hops++;
    at = at.outer as Scope;
  }
  if (at.kind === 'module') return (frame, value) => frame.globals.set(id, value);
  const index = at.names.indexOf(id);
  return (frame, value) => {
    frameAt(frame, hops).slots[index] = value;
  };
}
