import { acceptClauses } from './parse-comprehension.ts';
import { syntaxError } from './problem.ts';
import type { TokenStream } from './token-stream.ts';
import type { Expression, Keyword } from './tree.ts';

/** Arguments of a call after `(`, with the closing bracket. */
export function parseArguments(stream: TokenStream): { readonly args: readonly Expression[]; readonly keywords: readonly Keyword[] } {
  const args: Expression[] = [];
  const keywords: Keyword[] = [];
  let unpacksMapping = false;
  while (!stream.accept(')')) {
    const { at, following } = stream;
    if (stream.accept('**')) {
      keywords.push({ name: undefined, value: stream.grammar.expression(stream) });
      unpacksMapping = true;
    } else if (stream.isIdentifier && following?.kind === 'operator' && following.text === '=') {
      const name = stream.expectIdentifier();
      stream.expect('=');
      keywords.push({ name, value: stream.grammar.expression(stream) });
    } else if (stream.accept('*')) {
      if (unpacksMapping) throw syntaxError('iterable argument unpacking follows keyword argument unpacking', at);
      args.push({ kind: 'starred', value: stream.grammar.expression(stream), at });
    } else {
      if (unpacksMapping) throw syntaxError('positional argument follows keyword argument unpacking', at);
      if (keywords.length > 0) throw syntaxError('positional argument follows keyword argument', at);
      const element = stream.grammar.namedExpression(stream);
      const clauses = acceptClauses(stream);
      if (clauses) {
        if (args.length > 0 || !stream.is(')')) throw syntaxError('Generator expression must be parenthesized', at);
        args.push({ kind: 'generator', element, clauses, at });
      } else args.push(element);
    }
    if (!stream.is(')')) stream.expect(',');
  }
  return { args, keywords };
}

/** What stands in a subscript after `[`, with the closing bracket. */
export function parseSubscript(stream: TokenStream): Expression {
  const { at } = stream;
  const items = [parseSlice(stream)];
  let isTuple = items[0]?.kind === 'starred';
  while (stream.accept(',')) {
    isTuple = true;
    if (stream.is(']')) break;
    items.push(parseSlice(stream));
  }
  stream.expect(']');
  return isTuple ? { kind: 'tuple', items, at } : (items[0] as Expression);
}

function parseSlice(stream: TokenStream): Expression {
  const { at } = stream;
  const part = () => (stream.is(':') || stream.is(',') || stream.is(']') ? undefined : stream.grammar.expression(stream));
  if (stream.is(']')) throw stream.unexpected();
  const start = stream.is(':') ? undefined : stream.grammar.starredItem(stream);
  if (!stream.is(':') || start?.kind === 'starred') {
    if (!start) throw stream.unexpected();
    return start;
  }
  if (start?.kind === 'walrus') throw stream.unexpected();
  stream.expect(':');
  const stop = part();
  const step = stream.accept(':') ? part() : undefined;
  return { kind: 'slice', start, stop, step, at };
}
