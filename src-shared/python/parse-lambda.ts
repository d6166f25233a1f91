import { syntaxError } from './problem.ts';
import type { TokenStream } from './token-stream.ts';
import type { Expression, Parameter, Parameters } from './tree.ts';

/** `lambda a, /, b=1, *rest, c, **more: body`. */
export function parseLambda(stream: TokenStream): Expression {
  const { at } = stream;
  stream.expect('lambda');
  const parameters = parseParameters(stream);
  stream.expect(':');
  return { kind: 'lambda', parameters, body: stream.grammar.expression(stream), at };
}

function parseParameters(stream: TokenStream): Parameters {
  const positional: Parameter[] = [];
  const keywordOnly: Parameter[] = [];
  let positionalOnly = 0;
  let slash = false;
  let star = false;
  let rest: string | undefined;
  let keywords: string | undefined;
  while (!stream.is(':')) {
    const { at } = stream;
    if (stream.accept('**')) {
      keywords = stream.expectIdentifier();
      stream.accept(',');
      break;
    }
    if (stream.accept('/')) {
      if (slash || star || positional.length === 0) throw stream.unexpected();
      slash = true;
      positionalOnly = positional.length;
    } else if (stream.accept('*')) {
      if (star) throw syntaxError('* argument may appear only once', at);
      star = true;
      if (stream.isIdentifier) rest = stream.expectIdentifier();
      else if (!stream.is(',') || isEnd(stream)) throw syntaxError('named arguments must follow bare *', at);
    } else {
      const name = stream.expectIdentifier();
      const value = stream.accept('=') ? stream.grammar.expression(stream) : undefined;
      if (!star && !value && positional.at(-1)?.default)
        throw syntaxError('parameter without a default follows parameter with a default', at);
      (star ? keywordOnly : positional).push({ name, default: value });
    }
    if (!stream.is(':')) stream.expect(',');
  }
  return { positional, positionalOnly, rest, keywordOnly, keywords };
}

/** After a bare `*` and a comma a name has to follow. */
const isEnd = ({ following }: TokenStream) => following?.kind === 'operator' && (following.text === ':' || following.text === '**');
