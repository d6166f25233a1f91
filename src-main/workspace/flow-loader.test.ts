import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { validationReport } from '#shared/flow/validation-report.ts';
import { loadFlowText } from './flow-loader.ts';
import { loadFlow } from './open-flow.ts';
import { defaultSettings } from './settings.ts';

let root: string;
let folder: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'pravah-flow-loader-')));
  folder = join(root, 'workspace');
  mkdirSync(join(folder, 'sub'), { recursive: true });
  writeFileSync(join(root, 'outside.ts'), 'a => a');
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

const options = () => ({ folder, trusted: false, settings: defaultSettings });
const work = { kind: 'work', from: 'A', to: 'B' };
const document = (more: object = {}, node: object = {}) => ({
  pravah: 1,
  name: 'N',
  input: 'A',
  output: 'B',
  schemas: { A: {}, B: {} },
  nodes: [{ ...work, ...node }],
  ...more,
});
const write = (name: string, content: object | string | Uint8Array) =>
  writeFileSync(join(folder, name), typeof content === 'string' || content instanceof Uint8Array ? content : JSON.stringify(content));
const problems = async (file: string) =>
  (await loadFlow(file, options())).problems.map(({ code, path, message }) => `${code} ${path} ${message}`);

it('builds a flow with the files that it names, and returns their paths', async () => {
  write('sub/a.flow.json', document({}, { run_file: './body.ts' }));
  write('sub/body.ts', 'export default (a: number) => a;');
  const loaded = await loadFlow('sub/a.flow.json', options());
  expect(loaded).toMatchObject({ path: 'sub/a.flow.json', problems: [] });
  expect(loaded.graph?.nodes[0]?.body).toMatchObject({ type: 'run', file: 'sub/body.ts' });
  expect(loaded.graph?.hash).toMatch(/^[0-9a-f]{64}$/);
  expect([...loaded.files].sort()).toEqual([join(folder, 'sub/a.flow.json'), join(folder, 'sub/body.ts')]);
});

it('reads no file outside the workspace, by a link neither', async () => {
  symlinkSync(join(root, 'outside.ts'), join(folder, 'link.ts'));
  for (const file of ['../outside.ts', join(root, 'outside.ts'), './link.ts']) {
    write('a.flow.json', document({}, { run_file: file }));
    expect(await problems('a.flow.json')).toEqual([
      expect.stringMatching(/^bad_code \/nodes\/0\/run_file .*(outside|leads out of) the workspace/),
    ]);
  }
});

it.each([
  ['none.flow.json', /There is no file none\.flow\.json/],
  ['sub', /is a folder/],
  ['a.flow.yaml', /Line 1: the file is not valid UTF-8 \(byte 6\)/],
])('reports %s, which cannot be read, as one format problem of the whole', async (file, message) => {
  write('a.flow.yaml', Buffer.from([0x6e, 0x61, 0x6d, 0x65, 0x3a, 0x20, 0xff]));
  const found = await loadFlow(file, options());
  expect(found.problems).toMatchObject([{ code: 'format', path: '', message: expect.stringMatching(message) }]);
  expect(validationReport(found)).toMatchObject({ valid: false, soundness: { status: 'unknown', trace: [] }, nodes: 0 });
});

it.each([
  [{ type: 'strin' }, /type/],
  [{ $ref: 'https://example.org/x.json' }, /resolve|reference/],
  [{ $ref: '#/$defs/none' }, /resolve|reference/],
  [{ $async: true }, /async/],
  [{ type: 'string', pattern: '(a)\\1' }, /./],
  [{ type: 'string', pattern: '(' }, /./],
  [{ minimum: 'x' }, /number/],
])('refuses the schema %j', (schema, message) => {
  const text = JSON.stringify(document({ schemas: { A: {}, B: schema } }));
  const [problem, ...more] = loadFlowText(text, 'a.flow.json', options()).problems;
  expect(more).toEqual([]);
  expect(problem?.code).toBe('bad_schema');
  expect(problem?.path).toMatch(/^\/schemas\/B/);
  expect(problem?.message).toMatch(message);
});

it('accepts schemas that refer to themselves', () => {
  const tree = { $defs: { n: { type: 'object', properties: { next: { $ref: '#/$defs/n' } } } }, $ref: '#/$defs/n' };
  expect(loadFlowText(JSON.stringify(document({ schemas: { A: tree, B: {} } })), 'a.flow.json', options()).problems).toEqual([]);
});

it('validates 10,000 nodes, with code and proof, in well under a second', () => {
  const count = 10_000;
  const schemas = Object.fromEntries(Array.from({ length: count + 1 }, (_, index) => [`S${index}`, { type: 'object' }]));
  const nodes = Array.from({ length: count }, (_, index) => ({
    kind: 'work',
    from: `S${index}`,
    to: `S${index + 1}`,
    run: `(v) => ({ n: v.n + ${index} })`,
  }));
  const text = JSON.stringify({ ...document(), input: 'S0', output: `S${count}`, schemas, nodes });
  const times = Array.from({ length: 4 }, () => {
    const before = process.cpuUsage();
    expect(validationReport(loadFlowText(text, 'a.flow.json', options()))).toMatchObject({
      valid: true,
      problems: [],
      soundness: { status: 'sound' },
      nodes: count,
    });
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  expect(Math.min(...times)).toBeLessThan(1000);
});
