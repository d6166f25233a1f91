import { describe, expect, test } from 'vitest';
import { readRunFileSource, readRunSource } from '#shared/flow/source/body-source.ts';
import { stripTypes } from './strip-types.ts';

const faultOf = (source: string) => {
  const read = readRunSource(source, stripTypes);
  return read.ok ? 'accepted' : `${read.fault.line}:${read.fault.column} ${read.fault.message}`;
};

describe('stripTypes', () => {
  test('leaves every character where it was', () => {
    const source = '(input: { n: number },\n ctx) => {\n  const x = input.n as number; return x! }';
    const read = readRunSource(source, stripTypes);
    expect(read).toEqual({ ok: true, code: '(input               ,\n ctx) => {\n  const x = input.n          ; return x  }' });
  });

  test.each([
    ['(a: number) => {\n  const b: number = ; }', /^2:21 Expression expected/],
    ['(a: number) => a +* 2', /^1:19 Expression expected/],
    ['(a: number => 3', /^1:16 Expected/],
    ['(a) => { enum X { A } return X.A }', /^1:10 TypeScript enum cannot be used, since types are only stripped$/],
    ['(a: number) => {\n  namespace N { export const x = 1 }\n return N.x }', /^2:3 TypeScript namespace declaration cannot be used/],
    ['(a) => <string>a', /^1:8 The angle-bracket syntax .* cannot be used.* as T/],
    ['(a: number) => { class A { constructor(private x: number) {} } }', /^1:48 TypeScript parameter property cannot be used/],
    ['(a: number) => { @dec class A {} return 1 }', /^1:18 Unexpected character/],
    ['(a: number) => 1; (b: number) => 2', /^1:\d+ /],
    ['const x: number = 1', /^1:1 /],
  ])('%s has a fault at its place', (source, fault) => {
    expect(faultOf(source)).toMatch(fault);
  });

  test('a file with an export is read as a module', () => {
    const read = readRunFileSource('interface A { n: number }\nexport default (a: A): number => a.n;', stripTypes);
    expect(read).toEqual({ ok: true, code: '\n(a   )         => a.n' });
  });

  test('reads the next source after one that was nested too deep, however often that happens', () => {
    for (let index = 0; index < 100; index += 1) {
      expect(stripTypes('('.repeat(20_000))).toMatchObject({ ok: false, fault: { message: 'the code is nested too deep' } });
      if (index % 25 === 0) expect(stripTypes('(a: number) => a')).toEqual({ ok: true, code: '(a        ) => a' });
    }
  });
});
