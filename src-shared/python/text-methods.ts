import { argumentType, asSize } from './argument-types.ts';
import { countItems, countText } from './budget.ts';
import { encodingName } from './bytes-methods.ts';
import { textLength } from './code-points.ts';
import { typeError, unsupported } from './errors.ts';
import { toArray } from './iterate.ts';
import { MethodTableBuilder } from './method.ts';
import { formatFields, formatMap } from './str-format.ts';
import { capitalize, caseFold, swapCase, toTitle } from './text-case.ts';
import { classTests, hasOnlyCase, isIdentifier, isPrintable, isTitle } from './text-class.ts';
import { addSearchMethods } from './text-search.ts';
import { addSplitMethods } from './text-split.ts';
import { addTranslateMethods } from './text-translate.ts';
import { typeName } from './type-name.ts';
import { PyBytes, type PyValue } from './values.ts';

/** Counts the result before it is used. */
function counted(text: string): string {
  countText(text.length);
  return text;
}

const builder = new MethodTableBuilder<string>('str')
  .none('capitalize', (text) => counted(capitalize(text)))
  .none('casefold', (text) => counted(caseFold(text)))
  .none('lower', (text) => counted(text.toLowerCase()))
  .none('swapcase', (text) => counted(swapCase(text)))
  .none('title', (text) => counted(toTitle(text)))
  .none('upper', (text) => counted(text.toUpperCase()))
  .none('isascii', (text) => /^[\0-\x7f]*$/.test(counted(text)))
  .none('isidentifier', isIdentifier)
  .none('islower', (text) => hasOnlyCase(text, 'lower'))
  .none('isprintable', isPrintable)
  .none('istitle', isTitle)
  .none('isupper', (text) => hasOnlyCase(text, 'upper'))
  .positional('center', 1, 2, (text, width, fill) => pad(text, 'center', width as PyValue, fill))
  .positional('ljust', 1, 2, (text, width, fill) => pad(text, 'ljust', width as PyValue, fill))
  .positional('rjust', 1, 2, (text, width, fill) => pad(text, 'rjust', width as PyValue, fill))
  .one('zfill', (text, width) => {
    const missing = asSize(width) - textLength(text);
    if (missing <= 0) return text;
    countText(missing);
    const sign = /^[-+]/.test(text) ? (text[0] as string) : '';
    return sign + '0'.repeat(missing) + text.slice(sign.length);
  })
  .named('expandtabs', 'tabsize=', (text, size = 8n) => expandTabs(text, asSize(size, 'int')))
  .one('join', join)
  .named('encode', 'encoding=, errors=', encode)
  .raw('format', (text, args, keywords) => formatFields(text, args, keywords))
  .one('format_map', (text, mapping) => formatMap(text, mapping));

for (const [name, test] of Object.entries(classTests)) builder.none(name, (text) => test.test(text));
addSearchMethods(builder);
addSplitMethods(builder);
addTranslateMethods(builder);

/** Methods of `str`. */
export const textMethods = builder.build();

function pad(text: string, name: 'center' | 'ljust' | 'rjust', width: PyValue, fill: PyValue = ' '): string {
  const wanted = asSize(width);
  if (typeof fill !== 'string') throw typeError(`The fill character must be a unicode character, not ${typeName(fill)}`);
  if (textLength(fill) !== 1) throw typeError('The fill character must be exactly one character long');
  const missing = wanted - textLength(text);
  if (missing <= 0) return text;
  countText(missing);
  // CPython puts the odd space to the left when both the rest and the width are odd.
  const left = name === 'ljust' ? 0 : name === 'rjust' ? missing : (missing >> 1) + (missing & wanted & 1);
  return fill.repeat(left) + text + fill.repeat(missing - left);
}

function expandTabs(text: string, size: number): string {
  let result = '';
  let column = 0;
  for (const character of text) {
    if (character === '\t') {
      const count = size > 0 ? size - (column % size) : 0;
      countText(count);
      result += ' '.repeat(count);
      column += count;
    } else {
      result += character;
      column = character === '\n' || character === '\r' ? 0 : column + 1;
    }
  }
  return counted(result);
}

function join(separator: string, values: PyValue): string {
  const items = toArray(values, 'can only join an iterable');
  let length = 0;
  items.forEach((item, index) => {
    if (typeof item !== 'string') throw typeError(`sequence item ${index}: expected str instance, ${typeName(item)} found`);
    length += item.length + separator.length;
  });
  countText(length);
  return items.join(separator);
}

function encode(text: string, encoding: PyValue = 'utf-8', errors: PyValue = 'strict'): PyValue {
  if (typeof encoding !== 'string') throw typeError(`encode() argument 'encoding' must be str, not ${argumentType(encoding)}`);
  if (typeof errors !== 'string') throw typeError(`encode() argument 'errors' must be str, not ${argumentType(errors)}`);
  const name = encodingName(encoding);
  countItems(text.length * 3);
  if (name === 'utf-8') return new PyBytes(Uint8Array.from(utf8Bytes(text)));
  const most = name === 'ascii' ? 0x7f : 0xff;
  const points = Array.from(text, (character) => character.codePointAt(0) as number);
  if (points.some((point) => point > most)) throw unsupported(`the error of a text that ${name} cannot encode`);
  return new PyBytes(Uint8Array.from(points));
}

function utf8Bytes(text: string): number[] {
  return Array.from(encodeURIComponent(text).matchAll(/%(..)|(.)/gs), ([, hex, plain]) =>
    hex === undefined ? (plain as string).charCodeAt(0) : Number.parseInt(hex, 16),
  );
}
