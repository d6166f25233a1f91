import { acceptClauses } from './parse-comprehension.ts';
import { parseStrings } from './parse-strings.ts';
import { parseYield } from './parse-tuple.ts';
import { syntaxError } from './problem.ts';
import type { TokenStream } from './token-stream.ts';
import type { Expression } from './tree.ts';
import { ellipsis, type PyValue } from './values.ts';

const constants: Readonly<Record<string, PyValue>> = { True: true, False: false, None: null };

/** A literal, a name, or something in brackets. */
export function parseAtom(stream: TokenStream): Expression {
  const { token, at } = stream;
  if (token.kind === 'constant') {
    stream.take();
    return { kind: 'constant', value: token.value, at };
  }
  if (token.kind === 'string' || token.kind === 'bytes' || token.kind === 'fstring-start') return parseStrings(stream);
  if (stream.accept('(')) return stream.nested(() => parseGroup(stream, at));
  if (stream.accept('[')) return stream.nested(() => parseList(stream, at));
  if (stream.accept('{')) return stream.nested(() => parseBraces(stream, at));
  if (stream.accept('...')) return { kind: 'constant', value: ellipsis, at };
  if (token.kind === 'name' && Object.hasOwn(constants, token.text)) {
    stream.take();
    return { kind: 'constant', value: constants[token.text] as PyValue, at };
  }
  return { kind: 'name', id: stream.expectIdentifier(), at };
}

function parseGroup(stream: TokenStream, at: number): Expression {
  if (stream.accept(')')) return { kind: 'tuple', items: [], at };
  if (stream.is('yield')) {
    const value = parseYield(stream);
    stream.expect(')');
    return value;
  }
  const first = stream.grammar.starredItem(stream);
  const clauses = first.kind === 'starred' ? undefined : acceptClauses(stream);
  if (clauses) {
    stream.expect(')');
    return { kind: 'generator', element: first, clauses, at };
  }
  if (stream.accept(')')) {
    if (first.kind === 'starred') throw syntaxError('cannot use starred expression here', first.at);
    return first;
  }
  const items = [first];
  while (stream.accept(',') && !stream.is(')')) items.push(stream.grammar.starredItem(stream));
  stream.expect(')');
  return { kind: 'tuple', items, at };
}

function parseList(stream: TokenStream, at: number): Expression {
  if (stream.accept(']')) return { kind: 'list', items: [], at };
  const first = stream.grammar.starredItem(stream);
  const clauses = acceptClauses(stream);
  if (clauses) {
    if (first.kind === 'starred') throw syntaxError('iterable unpacking cannot be used in comprehension', first.at);
    stream.expect(']');
    return { kind: 'list-comprehension', element: first, clauses, at };
  }
  const items = [first];
  while (stream.accept(',') && !stream.is(']')) items.push(stream.grammar.starredItem(stream));
  stream.expect(']');
  return { kind: 'list', items, at };
}

function parseBraces(stream: TokenStream, at: number): Expression {
  if (stream.accept('}')) return { kind: 'dict', entries: [], at };
  if (stream.is('**')) return parseDict(stream, at, []);
  const first = stream.grammar.starredItem(stream);
  if (first.kind !== 'starred' && first.kind !== 'walrus' && stream.accept(':')) {
    const element = stream.grammar.expression(stream);
    const clauses = acceptClauses(stream);
    if (!clauses) return parseDict(stream, at, [{ key: first, value: element }]);
    stream.expect('}');
    return { kind: 'dict-comprehension', key: first, element, clauses, at };
  }
  const clauses = acceptClauses(stream);
  if (clauses) {
    if (first.kind === 'starred') throw syntaxError('iterable unpacking cannot be used in comprehension', first.at);
    stream.expect('}');
    return { kind: 'set-comprehension', element: first, clauses, at };
  }
  const items = [first];
  while (stream.accept(',') && !stream.is('}')) items.push(stream.grammar.starredItem(stream));
  stream.expect('}');
  return { kind: 'set', items, at };
}

function parseDict(stream: TokenStream, at: number, entries: { key: Expression | undefined; value: Expression }[]): Expression {
  if (entries.length > 0 && !stream.is('}')) stream.expect(',');
  while (!stream.accept('}')) {
    if (stream.accept('**')) entries.push({ key: undefined, value: stream.grammar.bitwise(stream) });
    else {
      const key = stream.grammar.expression(stream);
      stream.expect(':');
      entries.push({ key, value: stream.grammar.expression(stream) });
    }
    if (stream.is('for') || stream.is('async')) throw syntaxError('dict unpacking cannot be used in dict comprehension', stream.at);
    if (!stream.is('}')) stream.expect(',');
  }
  return { kind: 'dict', entries, at };
}
