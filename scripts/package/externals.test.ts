import { expect, test } from 'vitest';
import { packagesIn } from './externals.ts';
import { manifestOf } from './manifest.ts';
import { PRODUCTS } from './products.ts';

const top = {
  version: '1.2.3',
  license: 'MIT',
  author: 'The authors',
  keywords: [],
  dependencies: { acorn: '8.0.0', zod: '4.0.0' },
  optionalDependencies: {},
};
const [library] = PRODUCTS;
if (!library) throw new Error('There is no product.');

test.each([
  ['a static import', "import x from 'acorn';", ['acorn']],
  ['a re-export', "export * from '@scope/name/deep/file.js';", ['@scope/name']],
  ['a dynamic import', 'const x = await import("openai");', ['openai']],
  ['a dynamic import of a template', 'const x = await import(`openai`);', ['openai']],
  ['require made by createRequire', "const load = createRequire(import.meta.url); load('ajv/dist/2020.js');", ['ajv']],
  ["the engine's packageLoader", "const load = packageLoader(import.meta.url); load?.('ajv-formats');", ['ajv-formats']],
  ['createRequire called at once', "nodeModule.createRequire(import.meta.url)('zod/v4/core');", ['zod']],
  ["the bundler's require", "const x = __require('ws');", ['ws']],
  ['built-in modules and files', "import 'node:fs'; import 'path'; import './x.js'; require('#x');", []],
  ['words in a string or comment', "// import 'a'\nconst text = \"import 'b'\";", []],
])('packages are found in %s', (_, code, expected) => {
  expect([...packagesIn(code)]).toEqual(expected);
});

test('a package that no list names fails the packaging, by its name', () => {
  expect(() => manifestOf(library, new Set(['acorn', 'left-pad']), top)).toThrow('The build of pravah loads “left-pad”');
});

test('a manifest depends on what the build loads and on nothing else, in the versions of the repository', () => {
  const manifest = manifestOf(library, new Set(['acorn', 'zod']), top);
  expect(manifest).toMatchObject({
    name: 'pravah',
    version: '1.2.3',
    dependencies: { acorn: '8.0.0' },
    peerDependencies: { zod: '^4.0.0' },
  });
  expect(manifest).not.toHaveProperty('peerDependenciesMeta');
});
