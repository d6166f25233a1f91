import { parseTuple, parseYield } from './parse-tuple.ts';
import { beyond, syntaxError } from './problem.ts';
import type { TokenStream } from './token-stream.ts';
import type { Expression, FormatField } from './tree.ts';
import { PyBytes } from './values.ts';

/** Adjacent string literals, which are one value. */
export function parseStrings(stream: TokenStream): Expression {
  const { at } = stream;
  const parts: (string | FormatField)[] = [];
  const bytes: number[] = [];
  let kind: 'bytes' | 'text' | undefined;
  let formatted = false;
  for (;;) {
    const { token } = stream;
    if (token.kind !== 'string' && token.kind !== 'bytes' && token.kind !== 'fstring-start') break;
    const found = token.kind === 'bytes' ? 'bytes' : 'text';
    if (kind && kind !== found) throw syntaxError('cannot mix bytes and nonbytes literals', token.at);
    kind = found;
    stream.take();
    if (token.kind === 'bytes') for (const byte of token.value) bytes.push(byte);
    else if (token.kind === 'string') parts.push(token.value);
    else {
      formatted = true;
      parts.push(...parseParts(stream));
      stream.take();
    }
  }
  if (kind === 'bytes') return { kind: 'constant', value: new PyBytes(Uint8Array.from(bytes)), at };
  return formatted ? { kind: 'fstring', parts, at } : { kind: 'constant', value: parts.join(''), at };
}

function parseParts(stream: TokenStream): (string | FormatField)[] {
  const parts: (string | FormatField)[] = [];
  for (;;) {
    const { token } = stream;
    if (token.kind === 'text') {
      stream.take();
      parts.push(token.value);
    } else if (stream.is('{')) parts.push(...parseField(stream));
    else return parts;
  }
}

/** One field; with `=`, its text comes before it. */
function parseField(stream: TokenStream): (string | FormatField)[] {
  const begin = stream.take().end;
  if (stream.is('}') || stream.is('!') || stream.is(':')) throw syntaxError("f-string: valid expression required before '}'", stream.at);
  const value = stream.nested(() =>
    stream.is('yield') ? parseYield(stream) : parseTuple(stream, beyond("'*' alone in a field of an f-string", stream.at)),
  );
  const debug = stream.accept('=') ? stream.textFrom(begin) : undefined;
  let conversion: FormatField['conversion'];
  if (stream.accept('!')) {
    const token = stream.take();
    conversion = token.kind === 'name' ? (token.text as 'r' | 's' | 'a') : undefined;
  }
  const spec = stream.accept(':') ? parseParts(stream) : undefined;
  if (debug !== undefined && conversion === undefined && spec === undefined) conversion = 'r';
  stream.expect('}');
  const field: FormatField = { value, conversion, spec };
  return debug === undefined ? [field] : [debug, field];
}
