import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { slowness } from '#main/testing/slowness.ts';
import { brokenRules, doubleCastsAllowed, fragmentsAllowed, isProduct } from './code-rules.ts';
import { ROOT, sourceFiles } from './source-files.ts';

const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const files = sourceFiles();
const castsIn = (file: string) => textOf(file).match(/as unknown as/g)?.length ?? 0;

test(
  'the code follows the rules for casts, constants, imports and error texts',
  () => {
    expect(files.length).toBeGreaterThan(1000);
    expect(files.flatMap((file) => brokenRules(file, textOf(file)))).toEqual([]);
  },
  120_000 * slowness,
);

test('product code contains at most 10 double casts, each of them listed with a reason', () => {
  const total = files.filter(isProduct).reduce((sum, file) => sum + castsIn(file), 0);
  expect(total).toBeGreaterThan(0);
  expect(total).toBeLessThanOrEqual(10);
});

test.each(doubleCastsAllowed)('$file still needs its exception for $times double casts', ({ file, times }) => {
  expect(castsIn(file)).toBe(times);
});

test.each(fragmentsAllowed.filter(({ file }) => file !== undefined))('$file still needs its exception for error texts', ({ file = '' }) => {
  const elsewhere = brokenRules(`src-main/planted-${file.split('/').at(-1)}`, textOf(file));
  expect(elsewhere.some((broken) => broken.includes('an error '))).toBe(true);
});

const planted = 'src-main/tools/planted.ts';

test.each([
  ['a double cast', planted, 'export const a = b as unknown as Json;', /:1: “as unknown as”/],
  ['a double cast over lines', planted, 'export const a = (\n  b as unknown\n) as Json;', /:1: “as unknown as”/],
  ['one double cast too many', 'src-main/agents/call-model.ts', 'f(a as unknown as A);\nf(b as unknown as B);', /:2: “as unknown as”/],
  ['a constant in capitals', planted, 'export const MOST_BYTES = 1;', /“MOST_BYTES”; write constants in camelCase/],
  ['a constant in one capital word', planted, 'const LONGEST = 1;', /“LONGEST”/],
  ['an import from a parent folder', planted, "import { a } from '../a.ts';", /“\.\.\/a\.ts”; import from other folders/],
  ['a dynamic import from a parent folder', 'scripts/checks/planted.ts', "await import('../a.ts');", /import from other folders/],
  ['an exported name from a parent folder', 'e2e/planted.ts', "export { a } from '../a.ts';", /import from other folders/],
  ['an import from a subfolder', planted, "import { a } from './http/a.ts';", /import from subfolders/],
  ['an error without a capital', planted, "throw new ToolError('Io', 'the file is missing.');", /starts with a capital/],
  ['an error without a full stop', planted, `throw new Error(\`The file \${a} is missing\`);`, /ends with a full stop/],
  ['an error with a choice of texts', planted, "new FlowError('Io', a ? 'Gone.' : 'gone.');", /starts with a capital/],
])('reports %s', (_name, file, text, message) => {
  expect(brokenRules(file, text)).toEqual([expect.stringMatching(message)]);
});

test.each([
  ['a double cast in a test', 'src-main/tools/planted.test.ts', 'f(a as unknown as A);'],
  ['a state with a name of one letter', planted, 'const A = 1;'],
  ['an import from the same folder', planted, "import { a } from './a.ts';"],
  ['an import of fixtures by a test program', 'e2e/planted.ts', "import { a } from './fixtures/a.ts';"],
  ['an error that ends with a value', planted, `throw new Error(\`The file is missing: \${a}\`);`],
  ['an error that starts with a name from code', planted, "throw new Error('callAgent needs a context.');"],
  ['a reason inside a sentence, in a listed file', 'src-main/tools/transform.ts', "throw new Error('too deep');"],
])('allows %s', (_name, file, text) => {
  expect(brokenRules(file, text)).toEqual([]);
});
