import { afterEach, beforeEach, expect, test } from 'vitest';
import { TestWorkspace } from '#main/tools/testing/test-workspace.ts';
import { protectedFilesOf } from './protected-files.ts';

let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await TestWorkspace.make();
});
afterEach(() => workspace[Symbol.asyncDispose]());

const found = async () => [...(await protectedFilesOf(workspace.folder))].map((path) => path.slice(workspace.folder.length + 1)).sort();

test('every file from which a flow of the folder loads code is protected', async () => {
  await workspace.write(
    'main.flow.yaml',
    `nodes:
  - { kind: work, from: A, to: B, module: ./handlers/price.ts }
  - { kind: work, from: B, to: C, run_file: bodies/score.ts, tools: [./tools/crm.ts, read_file] }
  - { kind: work, from: C, to: D, tool: ./tools/send.ts }
  - { kind: agent, from: D, to: E, agent: { model: "script://x.json", tools: [{ use: ./tools/ask.ts }, "flow:./inner.flow.json"] } }
`,
  );
  await workspace.write(
    'sub/deep/inner.flow.json',
    JSON.stringify({ nodes: [{ kind: 'work', from: 'A', to: 'B', run_file: '../body.ts' }] }),
  );
  expect(await found()).toEqual(['bodies/score.ts', 'handlers/price.ts', 'sub/body.ts', 'tools/ask.ts', 'tools/crm.ts', 'tools/send.ts']);
});

test('what code of the folder imports is protected too, and its tools before any flow names them', async () => {
  await workspace.write(
    'main.flow.ts',
    "import { score } from './lib/score.ts';\nimport type { T } from 'zod';\nexport default await import('./late.mjs');",
  );
  await workspace.write('lib/score.ts', "export * from '../shared/limits.ts';\nimport './score.ts';\nconst n: number = 1;");
  await workspace.write('shared/limits.ts', "import '../../outside.ts';");
  await workspace.write('tools/crm.ts', "import customers from './data/customers.json' with { type: 'json' };");
  await workspace.write('tools/notes.md');
  await workspace.write('other.ts');
  expect(await found()).toEqual(['late.mjs', 'lib/score.ts', 'shared/limits.ts', 'tools/crm.ts', 'tools/data/customers.json']);
});

test('a link is followed to the file that is loaded', async () => {
  await workspace.write('real/price.ts');
  await workspace.link('price.ts', 'real/price.ts');
  await workspace.write('main.flow.json', JSON.stringify({ nodes: [{ kind: 'work', from: 'A', to: 'B', module: './price.ts' }] }));
  expect(await found()).toEqual(['real/price.ts']);
});

test('what leads out of the folder, and what cannot be read, names nothing', async () => {
  await workspace.write('out.flow.json', JSON.stringify({ nodes: [{ kind: 'work', from: 'A', to: 'B', module: '../price.ts' }] }));
  await workspace.write('broken.flow.yaml', 'nodes: [');
  await workspace.write('binary.flow.json', Uint8Array.of(0xff, 0));
  await workspace.write(
    'node_modules/x/main.flow.json',
    JSON.stringify({ nodes: [{ kind: 'work', from: 'A', to: 'B', module: './a.ts' }] }),
  );
  expect(await found()).toEqual([]);
});

test.each([
  ['a workflow', 'agents/a/workflow.yaml', 'agents: []\norchestration: { type: sequential, agents: [] }\n'],
  ['an imported flow', 'w.flow.yaml', 'pravah: 1\npyflow: { source: ./workflow.yaml }\nnodes: []\n'],
])('the Python files of a folder with %s are protected', async (_what, path, text) => {
  await workspace.write('shop/prices.py');
  await workspace.write('notes.yaml', 'agents: 1');
  expect(await found()).toEqual([]);
  await workspace.write(path, text);
  expect(await found()).toEqual(['shop/prices.py']);
});
