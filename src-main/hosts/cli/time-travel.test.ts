import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runCommandLine } from '#main/hosts/cli/command-line/command-line.ts';
import type { Json } from '#shared/json.ts';

let root: string;
let folder: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'pravah-cli-')));
  folder = join(root, 'workspace');
  mkdirSync(folder);
  vi.stubEnv('PRAVAH_HOME', join(root, 'home'));
  vi.stubEnv('NO_COLOR', '1');
  write('pravah.json', '{}');
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(root, { recursive: true, force: true });
});

function write(name: string, content: string): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

/** Runs a command in this process; answers with its exit code and what it wrote. */
async function pravah(...words: string[]): Promise<{ code: number; out: string; err: string; all: string }> {
  const written = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    vi.spyOn(process[stream], 'write').mockImplementation((text) => {
      written[stream] += String(text);
      return true;
    });
  }
  const code = await runCommandLine([...words, '--folder', folder]);
  vi.restoreAllMocks();
  return { code, out: written.stdout, err: written.stderr, all: written.stdout + written.stderr };
}

const flow = (factor: number): string =>
  JSON.stringify({
    pravah: 1,
    name: 'Small',
    input: 'A',
    output: 'C',
    schemas: { A: { type: 'object' }, B: { type: 'object' }, C: {} },
    nodes: [
      { kind: 'work', from: 'A', to: 'B', tool: 'write_file', with: { path: 'out.txt', content: '{text}' } },
      { kind: 'work', from: 'B', to: 'C', expr: `bytes * ${factor}` },
    ],
  });

async function started(): Promise<string> {
  const path = write('a.flow.json', flow(2));
  const { code, out } = await pravah('run', path, '--input', '{"text":"hello"}', '--json');
  expect(code).toBe(0);
  return (JSON.parse(out.split('\n')[0] as string) as { run_id: string }).run_id;
}

test('fork, replay, diff and restore on the command line', async () => {
  const run = await started();
  const misfit = await pravah('fork', run, '--step', '1', '--set', 'B=1', '--check');
  expect(misfit).toMatchObject({ code: 1, out: expect.stringContaining('/states/0/value') });
  const forked = await pravah('fork', run, '--step', '1', '--set', 'B={"path":"out.txt","bytes":50}', '--json');
  const { run_id: runId } = JSON.parse(forked.out) as { run_id: string };
  expect((await pravah('continue', runId, '--json')).out).toContain('"output":100');
  expect(await pravah('runs')).toMatchObject({ out: expect.stringContaining(`from ${run}`) });

  expect(await pravah('replay', run)).toMatchObject({ code: 0, out: expect.stringContaining('2 of 2 steps, 1 recorded effect') });
  write('a.flow.json', flow(3));
  const differs = await pravah('replay', run, '--current-flow');
  expect(differs.code).toBe(1);
  expect(differs.out).toMatch(/step 2 {2}states {2}\/C[\s\S]*expected {2}10\n[\s\S]*actual {4}15/);
  const past = await pravah('fork', run, '--step', '2', '--current-flow', '--check');
  expect(past.out).toMatch(/^1 of 2 steps before the fork: same result with the current flow; step 2 differs\n.*\/C/);
  const unchanged = await pravah('fork', run, '--step', '1', '--current-flow', '--check');
  expect(unchanged.out).toMatch(/^1 step before the fork: same result with the current flow\nfits; next: /);

  write('a.flow.json', flow(3).replace('"B":{"type":"object"}', '"B":{"type":"object","required":["lines"]}'));
  const unfit = await pravah('fork', run, '--step', '1', '--current-flow', '--json');
  expect(unfit).toMatchObject({ code: 1, all: expect.stringMatching(/SnapLoadError[\s\S]*\/states\/0\/value/) });
  expect((await pravah('runs', '--json')).out.trim().split('\n')).toHaveLength(2);
  expect((await pravah('fork', run, '--step', '1', '--json')).code).toBe(0);

  const compared = await pravah('diff', run, runId);
  expect(compared.code).toBe(1);
  expect(compared.out).toMatch(/start {2}← first difference\n +B\n +\/bytes\n +- 5\n +\+ 50/);
  expect(await pravah('diff', run, run)).toMatchObject({ code: 0, out: expect.stringContaining('0 of 3 steps differ') });

  const shown = await pravah('restore', run, '--step', '0');
  expect(shown.out).toMatch(/remove {6}out\.txt\n +- hello/);
  expect(existsSync(join(folder, 'out.txt'))).toBe(true);
  const restored = await pravah('restore', run, '--step', '0', '--apply');
  expect(restored.code).toBe(0);
  expect(existsSync(join(folder, 'out.txt'))).toBe(false);
  const undo = /--undo (\d+)/.exec(restored.all)?.[1] as string;
  expect((await pravah('restore', run, '--undo', undo)).code).toBe(0);
  expect(readFileSync(join(folder, 'out.txt'), 'utf8')).toBe('hello');
  expect((await pravah('restore', run)).code).toBe(2);
  expect((await pravah('replay', 'nothing')).code).toBe(1);
});

test('a run can be exported, shown and forked from its capsule, and tested with the flow', async () => {
  const run = await started();
  const file = join(folder, 'small.capsule.json');
  const dry = await pravah('export-run', run, '--dry-run', '--redact', 'A/text');
  expect(dry.out).toMatch(/tool {2,}write_file[\s\S]*masked {2}\/input\/text {2}A\/text/);
  expect((await pravah('export-run', run)).code).toBe(2);
  const misplaced = await pravah('export-run', run, '--out', folder);
  expect(misplaced).toMatchObject({ code: 1, all: expect.stringContaining('could not be written: ') });
  expect(await pravah('export-run', run, '--out', file)).toMatchObject({ code: 0, out: expect.stringContaining('written') });
  const shown = JSON.parse((await pravah('show', file, '--step', '1', '--json')).out) as { states: Json };
  expect(shown.states).toMatchObject([{ name: 'B', value: { bytes: 5 } }]);
  const forked = await pravah('fork', file, '--step', '1', '--run', '--json');
  expect(forked).toMatchObject({ code: 0, out: expect.stringContaining('"output":10') });

  expect(await pravah('test')).toMatchObject({ code: 0, out: expect.stringContaining('1 same, 0 different, 0 broken') });
  write('a.flow.json', flow(4));
  const differs = await pravah('test', file);
  expect(differs).toMatchObject({ code: 1, out: expect.stringMatching(/differs.*1 of 2 steps[\s\S]*actual {4}20/) });
  const updated = await pravah('test', file, '--update');
  expect(updated).toMatchObject({ code: 0, out: expect.stringContaining('0 different, 0 broken, 1 updated') });
  expect(await pravah('test', file)).toMatchObject({ code: 0, out: expect.stringContaining('1 same') });
  write(
    'a.flow.json',
    flow(4).replace('bytes *', 'bytes / 1 *').replace('write_file', 'edit_file').replace('"content":"{text}"', '"old":"a","new":"b"'),
  );
  const refused = await pravah('test', file, '--update');
  expect(refused).toMatchObject({ code: 1, all: expect.stringContaining('is called more often than recorded') });
  write('a.flow.json', flow(5));
  write('broken.capsule.json', '{');
  expect(await pravah('test', folder)).toMatchObject({ code: 1, out: expect.stringContaining('0 same, 1 different, 1 broken') });
  expect((await pravah('test', join(root, 'home'))).code).toBe(2);
});

test('an edited approval is shown with both inputs, from the journal and from a capsule, and computes again the same', async () => {
  const call = { tool: 'write_file', input: { path: 'out.txt', content: 'model' } };
  write('script.json', JSON.stringify({ turns: [{ tool_calls: [call] }, { output: { done: true } }] }));
  const agent = { model: 'script://script.json', tools: [{ use: 'write_file', approve: 'always' }] };
  const nodes = [{ kind: 'agent', from: 'A', to: 'B', agent }];
  const path = write('a.flow.json', JSON.stringify({ pravah: 1, name: 'Asks', input: 'A', output: 'B', schemas: { A: {}, B: {} }, nodes }));
  const { run_id: runId } = JSON.parse((await pravah('run', path, '--input', '{}', '--json')).out.split('\n')[0] ?? '') as {
    run_id: string;
  };
  const ran_with = { path: 'out.txt', content: 'person' };
  const answer = JSON.stringify({ approve: true, input: ran_with });
  const answered = await pravah('resume', runId, '--tool-id', 'A::write_file', '--payload', answer);
  expect(answered).toMatchObject({ code: 0, out: expect.stringContaining('edited by the user {"path":"out.txt","content":"person"}') });
  const file = join(folder, 'edited.capsule.json');
  expect((await pravah('export-run', runId, '--out', file)).code).toBe(0);
  for (const from of [runId, file]) {
    const { out } = await pravah('show', from);
    expect(out).toMatch(/write_file approved with edits\n.*\n +requested +\{.*"model"\}\n +executed +\{.*"person"\}/);
    const { edited_calls } = JSON.parse((await pravah('show', from, '--json')).out) as { edited_calls: Json };
    expect(edited_calls).toEqual([
      { seq: 3, tool: 'write_file', tool_call_id: 'call_0_1_0', input: call.input, ran_with, edited_by: 'person' },
    ]);
    expect((await pravah('replay', from)).out).toContain('same');
  }
  expect(readFileSync(file, 'utf8')).toContain(`"ran_with":${JSON.stringify(ran_with)},"edited_by":"person"`);
});

test('lineage prints where a value came from or what used it, and find the step after which an expression is true', async () => {
  const runId = await started();
  const came = await pravah('lineage', runId, 'B/path');
  expect(came).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^step 1 +B\/path +A +introduced here, same value in write_file \(step 1\)\n$/),
  });
  const used = await pravah('lineage', runId, 'A', '--step', '0', '--forward');
  expect(used.out).toMatch(/^start +A +the run's input\s+step 1 +A +A +used\nstep 2 +B +B +used\n$/);
  expect(JSON.parse((await pravah('lineage', runId, 'C', '--json')).out)).toMatchObject({
    steps: [{ seq: 2 }, { seq: 1 }, { seq: 0 }],
    cut: false,
  });
  expect(await pravah('lineage', runId, 'Absent')).toMatchObject({ code: 1, all: expect.stringContaining('There is no Absent at step 2') });
  expect(await pravah('find', runId, 'states.B.bytes === 5')).toMatchObject({ code: 0, out: 'step 1  A\n' });
  expect(await pravah('find', runId, 'text === "hello"', '--back')).toMatchObject({ code: 0, out: "step 0  the run's start\n" });
  expect(await pravah('find', runId, 'states.B.bytes > 5', '--json')).toMatchObject({ code: 1, out: '{"seq":null,"fault":null}\n' });
});

test('test --coverage prints which nodes and branches the capsules take, and fails below --min', async () => {
  const sort = {
    pravah: 1,
    name: 'Sort',
    input: 'N',
    output: 'Out',
    schemas: { N: {}, Small: {}, Large: {}, Out: {} },
    nodes: [
      { kind: 'either', from: 'N', to: ['Small', 'Large'], expr: 'input < 10' },
      { kind: 'work', from: 'Small', to: 'Out' },
      { kind: 'work', from: 'Large', to: 'Out', title: 'Halve' },
    ],
  };
  const path = write('sort.flow.json', JSON.stringify(sort));
  const capsule = async (input: string) => {
    const { out } = await pravah('run', path, '--input', input, '--json');
    const { run_id } = JSON.parse(out.split('\n')[0] ?? '') as { run_id: string };
    expect((await pravah('export-run', run_id, '--out', join(folder, `in-${input}.capsule.json`))).code).toBe(0);
  };
  await capsule('1');
  const half = await pravah('test', folder, '--coverage');
  expect(half).toMatchObject({ code: 0 });
  expect(half.out).toContain('coverage  60 %  sort.flow.json  3 of 5 nodes and branches, 1 run\n');
  expect(half.out).toContain('  never   N → Large  from the start; waiting: N\n  never   Halve  after N → Large; waiting: Large\n');
  expect(await pravah('test', folder, '--min', '80')).toMatchObject({
    code: 1,
    all: expect.stringContaining('The coverage of sort.flow.json is below 80 %.'),
  });
  // Each line of output is JSON, with the same exit codes; what is too low is said on standard error.
  const json = async (...options: string[]) => {
    const { code, out, err } = await pravah('test', folder, ...options, '--json');
    return {
      code,
      err,
      lines: out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    };
  };
  const low = await json('--coverage', '--min', '60.1');
  expect(low).toMatchObject({ code: 1, err: expect.stringContaining('The coverage of sort.flow.json is below 60.1 %.') });
  expect(low.lines).toMatchObject([
    { verdict: 'same' },
    {
      type: 'coverage',
      flow: 'sort.flow.json',
      covered: 3,
      total: 5,
      uncovered: [
        { node: 'N', state: 'Large', route: [], marking: ['N'] },
        { node: 'Large', title: 'Halve', state: null, route: [{ node: 'N', branch: 'Large' }], marking: ['Large'] },
      ],
      wires: [
        { node: 'N', state: 'Small', count: 1 },
        { node: 'Small', state: 'Out', count: 1 },
      ],
    },
    { type: 'summary', same: 1, differs: 0, broken: 0 },
  ]);
  expect(await json('--coverage', '--min', '60')).toMatchObject({ code: 0, err: '' });
  expect((await json()).lines.map(({ type }) => type)).toEqual([undefined, 'summary']);
  await capsule('20');
  const [coverage = ''] = (await pravah('test', folder, '--min', '100', '--json')).out.split('\n').slice(2);
  expect(JSON.parse(coverage)).toMatchObject({ type: 'coverage', flow: 'sort.flow.json', runs: 2, covered: 5, total: 5, uncovered: [] });
  for (const min of ['all', '-1', '101', '']) expect((await pravah('test', folder, '--min', min)).code).toBe(2);
});
