import { expect, it } from 'vitest';
import { readYaml } from '#shared/flow/source/read-yaml.ts';
import { valueAsPyYaml } from './yaml-words.ts';

const read = (text: string) => {
  const reading = readYaml(text);
  if (!reading.ok) throw new Error(reading.faults[0]?.message);
  return valueAsPyYaml(reading.root, text);
};

// Computed by PyYAML 6: yaml.safe_load.
it.each([
  ['yes', true],
  ['Off', false],
  ['NO', false],
  ['y', 'y'],
  ['"yes"', 'yes'],
  ["'010'", '010'],
  ['010', 8],
  ['-010', -8],
  ['09', '09'],
  ['0o10', '0o10'],
  ['0b11', 3],
  ['0x1F', 31],
  ['1_000', 1000],
  ['-1_0', -10],
  ['1:30', 90],
  ['1:30.5', 90.5],
  ['1e3', '1e3'],
  ['1.5e3', '1.5e3'],
  ['1.5e+3', 1500],
  ['.5', 0.5],
  ['1_0.5', 10.5],
  ['+12', 12],
  ['true', true],
  ['~', null],
  ['2.50', 2.5],
  ['gemini-2.5-flash', 'gemini-2.5-flash'],
  ['1.2.3', '1.2.3'],
  ['no way', 'no way'],
])('reads %s as PyYAML does', (text, value) => {
  expect(read(`a:\n  - ${text} # a comment\n`)).toEqual({ a: [value] });
  expect(read(`{ a: ${text} }`)).toEqual({ a: value });
});
