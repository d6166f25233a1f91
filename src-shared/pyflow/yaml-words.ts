import type { SourceNode } from '#shared/flow/source/source-tree.ts';
import type { Json } from '#shared/json.ts';

const words: ReadonlyMap<string, boolean> = new Map([
  ...['yes', 'Yes', 'YES', 'on', 'On', 'ON'].map((word) => [word, true] as const),
  ...['no', 'No', 'NO', 'off', 'Off', 'OFF'].map((word) => [word, false] as const),
]);

/**
 * The value of a YAML document as PyYAML reads it, which is YAML 1.1: `yes` and `off` are booleans, `010` is octal, `1:30` counts sixties, `1_000` is a
 * number and `1e3` text. Quoted texts stay. Keys are read as they are written.
 */
export function valueAsPyYaml(root: SourceNode, text: string): Json {
  return read(root, text, 0);
}

function read(node: SourceNode, text: string, shift: number): Json {
  if (node.type === 'array') return node.items.map((item) => read(item.node, text, shift + item.shift));
  if (node.type === 'object')
    return Object.fromEntries(node.entries.map(({ key, node: value, shift: own }) => [key, read(value, text, shift + own)]));
  if (typeof node.value !== 'string' && typeof node.value !== 'number') return node.value;
  const source = text.slice(node.start + shift, node.end + shift).trim();
  return plainScalar(source) ?? node.value;
}

/** What PyYAML makes of an unquoted text where YAML 1.2 makes something else; undefined where both agree. */
function plainScalar(source: string): Json | undefined {
  const word = words.get(source);
  if (word !== undefined) return word;
  if (!/^[-+.\d]/.test(source)) return undefined;
  const [, sign, digits = ''] = /^([-+]?)([\d_:a-fA-Fxbo.]+)$/.exec(source) ?? [];
  const signed = (value: number) => (sign === '-' ? -value : value);
  if (/^0[0-7_]+$/.test(digits)) return signed(Number.parseInt(digits.replaceAll('_', ''), 8));
  if (/^0\d[\d_]*$/.test(digits)) return source;
  if (/^0b[01_]+$/.test(digits)) return signed(Number.parseInt(digits.slice(2).replaceAll('_', ''), 2));
  if (/^0x[\da-fA-F_]+$/.test(digits)) return signed(Number.parseInt(digits.slice(2).replaceAll('_', ''), 16));
  if (/^[1-9][\d_]*(?::[0-5]?\d)+$/.test(digits)) return signed(sixties(digits));
  if (/^\d[\d_]*(?::[0-5]?\d)+\.[\d_]*$/.test(digits)) return signed(sixties(digits));
  if (/^[1-9][\d_]*$/.test(digits)) return signed(Number(digits.replaceAll('_', '')));
  if (/^(?:\d[\d_]*\.[\d_]*|\.\d[\d_]*)$/.test(digits)) return signed(Number(digits.replaceAll('_', '')));
  // Exponents need a point and a sign, and octal numbers have no "o".
  if (/^[-+]?0o[0-7]+$/.test(source) || (/^[-+\d.]*[eE]/.test(source) && !/^[-+]?(?:\d[\d_]*\.|\.\d)[\d_]*[eE][-+]\d+$/.test(source)))
    return source;
  return undefined;
}

/** `1:30` is 90. */
function sixties(digits: string): number {
  return digits
    .replaceAll('_', '')
    .split(':')
    .reduce((sum, part) => sum * 60 + Number(part), 0);
}
