import { countBytes } from './budget.ts';
import type { Compile, Evaluate } from './compile.ts';
import { compileDisplay } from './compile-display.ts';
import { compileTarget } from './compile-target.ts';
import { PyDict } from './dict.ts';
import { PythonError } from './errors.ts';
import { type Frame, innerFrame } from './frame.ts';
import { iterate } from './iterate.ts';
import { qualify, type Scope } from './scope.ts';
import { PySet } from './set.ts';
import { targetNames } from './target-names.ts';
import type { Clause, Expression } from './tree.ts';
import { isTrue } from './truth.ts';
import { PyGenerator, PyList, type PyNext, type PyValue } from './values.ts';

type Comprehension = Extract<Expression, { clauses: readonly Clause[] }>;

interface Loop {
  readonly iterable: Evaluate;
  readonly assign: (frame: Frame, value: PyValue) => void;
  readonly conditions: readonly Evaluate[];
}

/** Compiles `[… for … in …]` and its like. */
export function compileComprehension(node: Comprehension, outer: Scope, compile: Compile): Evaluate {
  const kind = node.kind === 'generator' ? 'generator' : 'comprehension';
  const names = [...new Set(node.clauses.flatMap(({ target }) => targetNames(target)))];
  const qualifiedName = kind === 'generator' ? qualify('<genexpr>', outer) : outer.qualifiedName;
  const scope: Scope = { kind, names, qualifiedName, outer };
  const loops = node.clauses.map((clause, index) => ({
    // The first iterable belongs to the expression around.
    iterable: compileIterable(clause.iterable, index === 0 ? outer : scope, compile),
    assign: compileTarget(clause.target, scope),
    conditions: clause.conditions.map((condition) => compile(condition, scope)),
  }));
  const element = compile(node.element, scope);
  if (node.kind === 'generator') return (frame) => startGenerator(frame, loops, element);
  const first = (loops[0] as Loop).iterable;
  if (node.kind === 'list-comprehension') {
    return (frame) => {
      const items: PyValue[] = [];
      runLoops(innerFrame(frame), loops, 0, iterate(first(frame)), (inner) => {
        countBytes(8);
        items.push(element(inner));
      });
      return new PyList(items);
    };
  }
  if (node.kind === 'set-comprehension') {
    return (frame) => {
      const set = new PySet();
      runLoops(innerFrame(frame), loops, 0, iterate(first(frame)), (inner) => set.add(element(inner)));
      return set;
    };
  }
  if (node.kind !== 'dict-comprehension') throw new Error(`Unknown comprehension ${node.kind}.`);
  const key = compile(node.key, scope);
  return (frame) => {
    const dict = new PyDict();
    runLoops(innerFrame(frame), loops, 0, iterate(first(frame)), (inner) => {
      const at = key(inner);
      dict.set(at, element(inner));
    });
    return dict;
  };
}

function compileIterable(node: Expression, scope: Scope, compile: Compile): Evaluate {
  return node.kind === 'set' ? compileDisplay(node, scope, compile, true) : compile(node, scope);
}

function runLoops(frame: Frame, loops: readonly Loop[], depth: number, next: PyNext, emit: (frame: Frame) => void): void {
  const { assign, conditions } = loops[depth] as Loop;
  const following = loops[depth + 1];
  for (let value = next(); value !== undefined; value = next()) {
    assign(frame, value);
    if (!conditions.every((condition) => isTrue(condition(frame)))) continue;
    if (following) runLoops(frame, loops, depth + 1, iterate(following.iterable(frame)), emit);
    else emit(frame);
  }
}

function startGenerator(outer: Frame, loops: readonly Loop[], element: Evaluate): PyGenerator {
  const steps = generate(innerFrame(outer), loops, 0, iterate((loops[0] as Loop).iterable(outer)), element);
  let isRunning = false;
  return new PyGenerator(() => {
    if (isRunning) throw new PythonError('ValueError', 'generator already executing');
    isRunning = true;
    try {
      const { value, done } = steps.next();
      return done ? undefined : (value as PyValue);
    } finally {
      isRunning = false;
    }
  });
}

function* generate(frame: Frame, loops: readonly Loop[], depth: number, next: PyNext, element: Evaluate): Generator<PyValue, void> {
  const { assign, conditions } = loops[depth] as Loop;
  const following = loops[depth + 1];
  for (let value = next(); value !== undefined; value = next()) {
    assign(frame, value);
    if (!conditions.every((condition) => isTrue(condition(frame)))) continue;
    if (following) yield* generate(frame, loops, depth + 1, iterate(following.iterable(frame)), element);
    else yield element(frame);
  }
}
