import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runCommandLine } from '#main/hosts/cli/command-line/command-line.ts';
import type { RunSummary } from '#shared/contract/runs.ts';
import type { Json } from '#shared/json.ts';
import type { RunEvent, RunEventOf } from '#shared/run/event.ts';

let root: string;
let folder: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'pravah-cli-')));
  folder = join(root, 'workspace');
  mkdirSync(folder);
  vi.stubEnv('PRAVAH_HOME', join(root, 'home'));
  vi.stubEnv('NO_COLOR', '1');
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(root, { recursive: true, force: true });
});

interface Answer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command in this process. */
async function pravah(...words: string[]): Promise<Answer> {
  const written = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    vi.spyOn(process[stream], 'write').mockImplementation((text) => {
      written[stream] += String(text);
      return true;
    });
  }
  const code = await runCommandLine(words);
  vi.restoreAllMocks();
  return { code, ...written };
}

const inFolder = (...words: string[]) => pravah(...words, '--folder', folder);
const eventsOf = ({ stdout }: Answer) =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as RunEvent);
const endOf = (answer: Answer) => eventsOf(answer).at(-1) as RunEventOf<'end_stream'>;

function flowFile(document: Json, name = 'test.flow.json'): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(document));
  return path;
}

const adding: Json = {
  pravah: 1,
  name: 'Adding',
  input: 'A',
  output: 'C',
  schemas: { A: { type: 'object', properties: { n: { type: 'number' } } }, B: {}, C: {} },
  nodes: [
    { kind: 'work', from: 'A', to: 'B', run: 'a => ({ n: (a.n ?? 0) + 1 })' },
    { kind: 'work', from: 'B', to: 'C', expr: 'n + 1', into: 'n' },
  ],
};
const asking: Json = {
  pravah: 1,
  name: 'Asking',
  input: 'A',
  output: 'C',
  schemas: { A: {}, B: { type: 'boolean' }, C: {} },
  nodes: [
    { kind: 'suspend', from: 'A', to: 'B' },
    { kind: 'work', from: 'B', to: 'C' },
  ],
};

test('run prints one event per line, ends with end_stream and exits with 0', async () => {
  const answer = await inFolder('run', flowFile(adding), '--input', '{"n":1}', '--json');
  expect([answer.code, answer.stderr]).toEqual([0, '']);
  expect(eventsOf(answer).map(({ type }) => type)).toEqual([
    'init_stream',
    'node_enter',
    'node_exit',
    'node_enter',
    'node_exit',
    'end_stream',
  ]);
  expect(endOf(answer)).toMatchObject({ status: 'success', output: { n: 3 }, states: [{ name: 'C', value: { n: 3 } }] });
});

test('--order live also prints the events of nodes that work ahead, without a number', async () => {
  flowFile({ turns: [{ output: 'done' }] }, 'script.json');
  const agent = (from: string, to: string) => ({ kind: 'agent', from, to, agent: { model: 'script://script.json', mode: 'chat' } });
  const branches = flowFile({
    ...adding,
    output: 'F',
    schemas: { A: {}, B: {}, C: {}, D: { type: 'string' }, E: { type: 'string' }, F: {} },
    nodes: [
      { kind: 'fork', from: 'A', to: ['B', 'C'] },
      agent('B', 'D'),
      agent('C', 'E'),
      { kind: 'join', from: ['D', 'E'], to: 'F', run: '(one, other) => [one, other]' },
    ],
  });
  const live = eventsOf(await inFolder('run', branches, '--input', '{}', '--json', '--order', 'live'));
  const ahead = live.filter((event) => 'ahead' in event);
  // How far the second branch gets before its turn comes depends on the machine; that it begins does not.
  expect(ahead.length).toBeGreaterThan(0);
  expect(ahead.every((event) => !('seq' in event))).toBe(true);
  const recorded = eventsOf(await inFolder('run', branches, '--input', '{}', '--json'));
  expect(live.filter((event) => !('ahead' in event)).map(({ type }) => type)).toEqual(recorded.map(({ type }) => type));
  expect(await inFolder('run', branches, '--input', '{}', '--order', 'live')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--json'),
  });
});

test('people get lines instead', async () => {
  const answer = await inFolder('run', flowFile(adding), '--input', '{"n":1}');
  expect(answer.stdout).toMatch(/^Adding/);
  expect(answer.stdout).toContain('→ B');
  expect(answer.stdout).toContain('done  {\n  "n": 3\n}');
  expect(answer.stdout).not.toContain('\u001b[');
});

test('run without --input passes {} if the entry accepts it', async () => {
  expect((await inFolder('run', flowFile(adding), '--json')).code).toBe(0);
  const needs = flowFile({ ...(adding as object), schemas: { A: { type: 'object', required: ['n'] }, B: {}, C: {} } });
  const answer = await inFolder('run', needs, '--json');
  expect([answer.code, answer.stdout]).toEqual([2, '']);
  expect(answer.stderr).toMatch(/needs an input/);
});

test('an input comes from a file, too', async () => {
  writeFileSync(join(folder, 'input.json'), '{"n":40}');
  const answer = await inFolder('run', flowFile(adding), '--input', `@${join(folder, 'input.json')}`, '--json');
  expect(endOf(answer).output).toEqual({ n: 42 });
});

const mistakes: readonly (readonly [what: string, words: readonly string[], said: RegExp])[] = [
  ['input that is not JSON', ['run', 'x.flow.json', '--input', 'no'], /--input is not valid JSON/],
  ['a missing input file', ['run', 'x.flow.json', '--input', '@none'], /can't read none/],
  ['an invalid count', ['run', 'x.flow.json', '--max-steps', '0'], /whole number/],
  ['an unknown option', ['run', 'x.flow.json', '--fast'], /unknown option/],
  ['a missing answer', ['resume', 'r', '--tool-id', 'x'], /--payload/],
  ['an unknown command', ['rnu'], /No such folder or command: "rnu"/],
  ['a path that is not a folder', ['runs', '--folder', '/no/such/folder'], /is not a folder/],
];

test.each(mistakes)('%s exits with code 2 and prints the error to standard error', async (_what, words, said) => {
  const answer = await pravah(...words);
  expect([answer.code, answer.stdout]).toEqual([2, '']);
  expect(answer.stderr).toMatch(said);
});

test('an input that misses the schema is a failure, and no run is made', async () => {
  const answer = await inFolder('run', flowFile(adding), '--input', '{"n":"one"}', '--json');
  expect([answer.code, endOf(answer).error?.variant]).toEqual([1, 'DeserializeError']);
  expect((await inFolder('runs', '--json')).stdout).toBe('');
});

test('a flow that does not build prints what validate prints, and answers 2', async () => {
  const broken = flowFile({ ...(adding as object), output: 'B' });
  const [validated, run] = [await inFolder('validate', broken, '--json'), await inFolder('run', broken, '--json')];
  expect([validated.code, run.code, run.stdout]).toEqual([2, 2, validated.stdout]);
  expect(JSON.parse(run.stdout)).toMatchObject({ valid: false });
  const missing = await inFolder('validate', join(folder, 'none.flow.json'), '--json');
  expect(JSON.parse(missing.stdout)).toMatchObject({ valid: false, problems: [{ code: 'format', path: '' }] });
});

test('a relative path is one of the current directory, wherever the folder of the flow is', async () => {
  const path = relative(process.cwd(), flowFile(adding));
  for (const command of ['validate', 'capabilities'])
    expect([command, (await inFolder(command, path, '--json')).code]).toEqual([command, 0]);
});

test('a run can be paused, listed, shown, stepped and continued to its end', async () => {
  const paused = await inFolder('run', flowFile(adding), '--input', '{"n":1}', '--max-steps', '1', '--json');
  expect([paused.code, endOf(paused).status]).toEqual([4, 'paused']);
  const { run_id: runId } = endOf(paused);
  const listed = JSON.parse((await inFolder('runs', '--json')).stdout) as RunSummary;
  expect(listed).toMatchObject({ run_id: runId, status: 'paused', seq: 1, flow_path: 'test.flow.json' });
  const shown = await inFolder('show', runId, '--step', '0', '--json');
  expect(JSON.parse(shown.stdout)).toMatchObject({ seq: 0, states: [{ name: 'A', value: { n: 1 } }], next: 'A' });
  expect((await inFolder('show', runId)).stdout).toMatch(/next: B/);
  expect((await inFolder('step', runId, '--json')).code).toBe(0);
  const again = await inFolder('continue', runId, '--json');
  expect([again.code, endOf(again).output]).toEqual([0, { n: 3 }]);
});

test('reports a corrupt journal on the last line and leaves it unchanged', async () => {
  const { run_id: runId } = endOf(await inFolder('run', flowFile(asking), '--input', '1', '--json'));
  const path = join(folder, '.pravah', 'runs.db');
  writeFileSync(path, 'no database '.repeat(1000));
  for (const words of [
    ['continue', runId],
    ['show', runId],
    ['cancel', runId],
    ['run', join(folder, 'test.flow.json'), '--input', '1'],
  ]) {
    const answer = await inFolder(...words, '--json');
    expect([words[0], answer.code, endOf(answer).error?.variant]).toEqual([words[0], 1, 'SnapLoadError']);
  }
  expect(readFileSync(path, 'utf8')).toBe('no database '.repeat(1000));
});

test('looking for runs leaves a folder without any as it is', async () => {
  const listed = await inFolder('runs');
  expect([listed.code, listed.stdout]).toEqual([0, 'No runs yet. Start one with: pravah run FLOW\n']);
  expect((await inFolder('continue', 'no-such-run', '--json')).code).toBe(1);
  expect(readdirSync(folder)).toEqual([]);
});

test('a run that waits is answered once, and refuses everything else', async () => {
  const waiting = await inFolder('run', flowFile(asking), '--input', '1', '--json');
  expect(waiting.code).toBe(3);
  expect(eventsOf(waiting).at(-2)).toMatchObject({ type: 'suspended', tool_id: 'A::suspend', value: 1 });
  const { run_id: runId } = endOf(waiting);
  const refusals: readonly (readonly [words: readonly string[], variant: string])[] = [
    [['continue', runId], 'ResumeRequired'],
    [['step', runId], 'ResumeRequired'],
    [['resume', runId, '--tool-id', 'B::suspend', '--payload', 'true'], 'ResumeMismatchError'],
    [['resume', runId, '--tool-id', 'A::suspend', '--payload', '"no boolean"'], 'DeserializeError'],
    [['continue', 'no-such-run'], 'NotFound'],
    [['show', 'no-such-run'], 'NotFound'],
  ];
  for (const [words, variant] of refusals) {
    const answer = await inFolder(...words, '--json');
    expect([words[0], answer.code, endOf(answer).status, endOf(answer).error?.variant]).toEqual([words[0], 1, 'error', variant]);
  }
  const answered = await inFolder('resume', runId, '--tool-id', 'A::suspend', '--payload', 'true', '--json');
  expect([answered.code, endOf(answered).output]).toEqual([0, true]);
  const twice = await inFolder('resume', runId, '--tool-id', 'A::suspend', '--payload', 'true', '--json');
  expect([twice.code, endOf(twice).error?.variant]).toEqual([1, 'UnexpectedResumption']);
});

test('a run is cancelled for good', async () => {
  const { run_id: runId } = endOf(await inFolder('run', flowFile(asking), '--input', '1', '--json'));
  const cancelled = await inFolder('cancel', runId, '--json');
  expect([cancelled.code, endOf(cancelled).status]).toEqual([0, 'cancelled']);
  expect((await inFolder('cancel', runId, '--json')).code).toBe(1);
  const continued = await inFolder('continue', runId, '--json');
  expect([continued.code, endOf(continued).error?.variant]).toEqual([1, 'Cancelled']);
});

test('what the models answered is recorded as a script that gives the same run', async () => {
  writeFileSync(
    join(folder, 'first.json'),
    JSON.stringify({ turns: [{ text: 'let me think' }, { tool_calls: [{ tool: 'submit', input: { ok: true } }] }] }),
  );
  const agentFlow = (model: string): Json => ({
    pravah: 1,
    name: 'Agent',
    input: 'A',
    output: 'B',
    schemas: { A: {}, B: { type: 'object' } },
    nodes: [{ kind: 'agent', from: 'A', to: 'B', agent: { model, tools: ['list_files'] } }],
  });
  const recorded = join(folder, 'second.json');
  const first = await inFolder('run', flowFile(agentFlow('script://first.json')), '--input', '1', '--record', recorded, '--json');
  expect([first.code, endOf(first).output]).toEqual([0, { ok: true }]);
  expect(JSON.parse(readFileSync(recorded, 'utf8'))).toMatchObject({
    turns: [{ text: 'let me think' }, { tool_calls: [{ tool: 'submit' }] }],
  });
  const second = await inFolder('run', flowFile(agentFlow('script://second.json')), '--input', '1', '--json');
  expect(endOf(second).output).toEqual({ ok: true });
});

test('refuses a command without permission and runs it with --allow-command', async () => {
  const flow = flowFile({
    pravah: 1,
    name: 'Command',
    input: 'A',
    output: 'B',
    schemas: { A: {}, B: {} },
    nodes: [{ kind: 'work', from: 'A', to: 'B', tool: 'run_command', with: { command: 'echo', args: ['one'] } }],
  });
  const refused = await inFolder('run', flow, '--input', '1', '--json');
  expect([refused.code, endOf(refused).error?.variant]).toEqual([1, 'ForbiddenCommand']);
  expect((await inFolder('run', flow, '--input', '1', '--allow-command', 'echo', '--json')).code).toBe(0);
  expect((await inFolder('run', flow, '--input', '1', '--allow-command', 'echo *', '--json')).code).toBe(0);
  expect((await inFolder('run', flow, '--input', '1', '--allow-command', 'echo two', '--json')).code).toBe(1);
});
