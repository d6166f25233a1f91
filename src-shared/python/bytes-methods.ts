import { argumentType } from './argument-types.ts';
import { countText } from './budget.ts';
import { PythonError, typeError, unsupported } from './errors.ts';
import { MethodTableBuilder } from './method.ts';
import type { PyBytes, PyValue } from './values.ts';

/** Methods of `bytes`; the others are not taken. */
export const bytesMethods = new MethodTableBuilder<PyBytes>('bytes')
  .named('decode', 'encoding=, errors=', (bytes, encoding, errors) => decodeBytes(bytes, encoding, errors))
  .raw('hex', ({ bytes }, args, keywords) => {
    if (args.length > 0 || keywords) throw unsupported('bytes.hex with a separator');
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  })
  .build();

// UTF-8 as its standard has it; TextDecoder belongs neither to the language nor to both of its hosts' types.
const utf8 = new RegExp(
  [
    '[\\x00-\\x7f]',
    '[\\xc2-\\xdf][\\x80-\\xbf]',
    '\\xe0[\\xa0-\\xbf][\\x80-\\xbf]',
    '[\\xe1-\\xec\\xee\\xef][\\x80-\\xbf]{2}',
    '\\xed[\\x80-\\x9f][\\x80-\\xbf]',
    '\\xf0[\\x90-\\xbf][\\x80-\\xbf]{2}',
    '[\\xf1-\\xf3][\\x80-\\xbf]{3}',
    '\\xf4[\\x80-\\x8f][\\x80-\\xbf]{2}',
  ].join('|'),
  'y',
);

/** `bytes.decode`: UTF-8, ASCII and Latin-1, errors strict. */
export function decodeBytes({ bytes }: PyBytes, encoding: PyValue = 'utf-8', errors: PyValue = 'strict'): string {
  for (const [name, value] of [
    ['encoding', encoding],
    ['errors', errors],
  ] as const) {
    if (typeof value !== 'string') throw typeError(`decode() argument '${name}' must be str, not ${argumentType(value)}`);
  }
  const name = encodingName(encoding as string);
  const units = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  countText(units.length);
  if (name === 'latin-1') return units;
  let text = '';
  utf8.lastIndex = 0;
  while (utf8.lastIndex < units.length) {
    const at = utf8.lastIndex;
    const sequence = utf8.exec(units)?.[0];
    if (sequence === undefined || (name === 'ascii' && sequence.length > 1)) throw undecodable(name, bytes, at);
    text += decodeURIComponent(Array.from(sequence, (unit) => `%${unit.charCodeAt(0).toString(16).padStart(2, '0')}`).join(''));
  }
  return text;
}

/** The name of an encoding that is taken. */
export function encodingName(encoding: string): 'utf-8' | 'ascii' | 'latin-1' {
  const name = encoding.toLowerCase().replaceAll('_', '-');
  if (name === 'utf-8' || name === 'utf8') return 'utf-8';
  if (name === 'ascii' || name === 'us-ascii') return 'ascii';
  if (name === 'latin-1' || name === 'latin1' || name === 'iso-8859-1') return 'latin-1';
  throw unsupported(`the encoding '${encoding}'`);
}

function undecodable(name: string, bytes: Uint8Array, at: number): Error {
  if (name === 'ascii') {
    const byte = (bytes[at] as number).toString(16).padStart(2, '0');
    return new PythonError('UnicodeDecodeError', `'ascii' codec can't decode byte 0x${byte} in position ${at}: ordinal not in range(128)`);
  }
  return unsupported('the error of bytes that are not UTF-8');
}
