import { argumentType } from './argument-types.ts';
import { countText } from './budget.ts';
import { textLength } from './code-points.ts';
import { PyDict } from './dict.ts';
import { typeError, unsupported, valueError } from './errors.ts';
import { characterOf } from './format-value.ts';
import type { MethodTableBuilder } from './method.ts';
import { bindBuiltin } from './signature.ts';
import type { PyKeywords, PyValue } from './values.ts';

/** Adds `translate` and `maketrans`. */
export function addTranslateMethods(builder: MethodTableBuilder<string>): void {
  builder.one('translate', translate).raw('maketrans', (_, args, keywords) => makeTable(args, keywords), { isStatic: true });
}

const pointOf = (character: string) => BigInt(character.codePointAt(0) as number);

function translate(text: string, table: PyValue): string {
  if (!(table instanceof PyDict)) throw unsupported('str.translate with something else than a dict');
  let result = '';
  for (const character of text) {
    const found = table.get(pointOf(character));
    if (found === undefined) result += character;
    else if (typeof found === 'string') result += found;
    else if (typeof found === 'bigint' || typeof found === 'boolean') {
      if (BigInt(found) < 0n || BigInt(found) > 0x10ffffn) throw valueError('character mapping must be in range(0x110000)');
      result += characterOf(BigInt(found));
    } else if (found !== null) throw typeError('character mapping must return integer, None or str');
    countText(typeof found === 'string' ? found.length : 1);
  }
  return result;
}

function makeTable(args: PyValue[], keywords?: PyKeywords): PyDict {
  const [from, to, removed] = bindBuiltin('str.maketrans', { kind: 'positional', min: 1, max: 3 }, args, keywords);
  if (to === undefined) return fromDict(from as PyValue);
  if (typeof to !== 'string') throw typeError(`maketrans() argument 2 must be str, not ${argumentType(to)}`);
  if (removed !== undefined && typeof removed !== 'string')
    throw typeError(`maketrans() argument 3 must be str, not ${argumentType(removed)}`);
  if (typeof from !== 'string') throw typeError('first maketrans argument must be a string if there is a second argument');
  if (textLength(from) !== textLength(to)) throw valueError('the first two maketrans arguments must have equal length');
  const table = new PyDict();
  const targets = Array.from(to);
  Array.from(from).forEach((character, index) => {
    table.set(pointOf(character), pointOf(targets[index] as string));
  });
  for (const character of removed ?? '') table.set(pointOf(character), null);
  return table;
}

function fromDict(value: PyValue): PyDict {
  if (!(value instanceof PyDict)) throw typeError('if you give only one argument to maketrans it must be a dict');
  const table = new PyDict();
  for (const [key, item] of value.entries()) {
    if (typeof key === 'bigint' || typeof key === 'boolean') table.set(key, item);
    else if (typeof key !== 'string') throw typeError('keys in translate table must be strings or integers');
    else if (textLength(key) !== 1) throw valueError('string keys in translate table must be of length 1');
    else table.set(pointOf(key), item);
  }
  return table;
}
