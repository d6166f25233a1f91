import { syntaxError } from './problem.ts';
import type { TokenStream } from './token-stream.ts';
import type { Expression } from './tree.ts';

/** `yield`, `yield value`, `yield from value`: valid Python, and an error when evaluated. */
export function parseYield(stream: TokenStream): Expression {
  const { at } = stream;
  stream.expect('yield');
  if (stream.accept('from')) return { kind: 'yield', value: stream.grammar.expression(stream), from: true, at };
  const value = stream.is(')') || stream.is('}') ? undefined : parseTuple(stream);
  return { kind: 'yield', value, from: false, at };
}

/** One item, or several without brackets; `loneStar` is thrown for `*value` without a comma. */
export function parseTuple(stream: TokenStream, loneStar: Error = syntaxError("can't use starred expression here", stream.at)): Expression {
  const { at } = stream;
  const first = stream.grammar.starredItem(stream);
  if (!stream.is(',')) {
    if (first.kind === 'starred') throw loneStar;
    return first;
  }
  const items = [first];
  while (stream.accept(',') && startsItem(stream)) items.push(stream.grammar.starredItem(stream));
  return { kind: 'tuple', items, at };
}

function startsItem({ token }: TokenStream): boolean {
  return token.kind !== 'end' && !(token.kind === 'operator' && [')', '}', '=', '!', ':'].includes(token.text));
}
