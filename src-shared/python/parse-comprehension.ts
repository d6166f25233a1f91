import { beyond, syntaxError } from './problem.ts';
import type { TokenStream } from './token-stream.ts';
import type { Clause, Target } from './tree.ts';

/** The clauses of a comprehension, if `for` is next. */
export function acceptClauses(stream: TokenStream): readonly Clause[] | undefined {
  const clauses: Clause[] = [];
  while (stream.is('for') || (stream.is('async') && isFor(stream))) {
    const isAsync = stream.accept('async');
    stream.expect('for');
    const target = parseTargets(stream, 'in');
    stream.expect('in');
    const iterable = stream.grammar.disjunction(stream);
    const conditions = [];
    while (stream.accept('if')) conditions.push(stream.grammar.disjunction(stream));
    clauses.push({ target, iterable, conditions, isAsync });
  }
  return clauses.length > 0 ? clauses : undefined;
}

const isFor = ({ following }: TokenStream) => following?.kind === 'name' && following.text === 'for';

function parseTargets(stream: TokenStream, end: string): Target {
  const { at } = stream;
  const items: Target[] = [];
  let starred = -1;
  let isTuple = end === ']';
  while (!stream.is(end)) {
    if (stream.accept('*')) {
      if (starred >= 0) throw syntaxError('multiple starred expressions in assignment', at);
      starred = items.length;
      isTuple = true;
    }
    items.push(parseTarget(stream));
    if (stream.is(end)) break;
    stream.expect(',');
    isTuple = true;
  }
  const only = items[0];
  if (isTuple || (!only && end === ')')) return { kind: 'targets', items, starred, at };
  if (!only) throw stream.unexpected();
  return only;
}

function parseTarget(stream: TokenStream): Target {
  return stream.nested(() => {
    const { at } = stream;
    let target: Target;
    if (stream.accept('(')) {
      target = parseTargets(stream, ')');
      stream.expect(')');
    } else if (stream.accept('[')) {
      target = parseTargets(stream, ']');
      stream.expect(']');
    } else target = { kind: 'name', id: stream.expectIdentifier(), at };
    if (stream.is('.') || stream.is('[') || stream.is('(')) throw beyond('an assignment to an item or attribute', at);
    return target;
  });
}
