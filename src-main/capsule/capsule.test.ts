import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { soundFlow } from '#main/engine/testing/random-flow.ts';
import { RunReader } from '#main/journal/run-reader.ts';
import { editedCalls } from '#main/runner/edited-calls.ts';
import { RunExecutor } from '#main/runner/run-executor.ts';
import { detailOf, stateAt } from '#main/runner/run-views.ts';
import { documentOf, TestWorkspace } from '#main/runner/testing.ts';
import { makeFork, planFork } from '#main/time-travel/fork.ts';
import { replayRun } from '#main/time-travel/replay.ts';
import { driveToEnd, forkAt, startGraph } from '#main/time-travel/testing.ts';
import { loadFlowText } from '#main/workspace/flow-loader.ts';
import { defaultSettings } from '#main/workspace/settings.ts';
import type { Json, JsonObject } from '#shared/json.ts';
import { contentsOf } from './capsule-contents.ts';
import type { Capsule } from './capsule-format.ts';
import { capsuleText } from './capsule-text.ts';
import { integrityOf } from './integrity.ts';
import { makeCapsule } from './make-capsule.ts';
import { type OpenCapsule, openCapsule } from './open-capsule.ts';

let space: TestWorkspace;
const opened: OpenCapsule[] = [];
beforeEach(() => {
  space = new TestWorkspace();
});
afterEach(() => {
  for (const { journal } of opened.splice(0)) journal.close();
  space.remove();
});

const nothing = { places: [], texts: [] };
const noSecrets = new Map<string, string>();
const options = () => ({ folder: space.folder, trusted: false, settings: defaultSettings });

async function open(text: string): Promise<OpenCapsule> {
  const capsule = await openCapsule(text, 'a.capsule.json');
  opened.push(capsule);
  return capsule;
}

/** A run of an agent that asks and writes a file, in a flow with another one inside. */
async function runOf(input: Json, secretive = 'written'): Promise<string> {
  const call = { tool: 'write_file', input: { path: 'out.txt', content: secretive } };
  space.write('script.json', { turns: [{ tool_calls: [call] }, { output: { done: true } }] });
  space.write('inner.flow.json', documentOf('In', 'Out', [{ kind: 'work', from: 'In', to: 'Out', run_file: 'body.js' }]));
  space.write('body.js', 'export default ({ n, email }) => ({ n: n + 1, email })');
  const agent = { model: 'script://script.json', tools: ['write_file'], prompt: 'Write to {email}.' };
  const nodes: Json = [
    { kind: 'flow', flow: 'inner.flow.json' },
    { kind: 'agent', from: 'Out', to: 'B', agent },
  ];
  const document: Json = { pravah: 1, name: 'Test', input: 'In', output: 'B', schemas: { In: {}, Out: {}, B: {} }, nodes };
  const flow_text = JSON.stringify(document);
  space.write('test.flow.json', flow_text);
  const built = loadFlowText(flow_text, 'test.flow.json', options());
  if (!built.graph) throw new Error(JSON.stringify(built.problems));
  const run = { graph: built.graph, flow_path: 'test.flow.json', flow_text, sources: built.sources, input };
  const executor = RunExecutor.start(await space.options(), run);
  await executor.continue();
  executor.close();
  return executor.runId;
}

test('refuses to export a run that is too large for a capsule and suggests a fork', async () => {
  const run = await runOf({ n: 1, email: 'e'.repeat(5_000) });
  expect(() => makeCapsule(space.journal, run, nothing, noSecrets, 4_000)).toThrow('Fork it at a later record');
});

test('a run opens from its capsule at every step as it was, and computes again without its files, its journal and its model', async () => {
  const run = await runOf({ n: 1, email: 'ann@example.org' });
  const text = capsuleText(makeCapsule(space.journal, run, nothing, noSecrets));
  const { journal, runId, capsule } = await open(text);
  const { last_seq } = space.journal.row(run);
  expect(capsule.flow.sources).toMatchObject({ 'inner.flow.json': expect.any(String), 'body.js': expect.any(String) });
  for (let seq = 0; seq <= last_seq; seq += 1) {
    expect(stateAt(journal, runId, seq).states.map(({ name, value }) => [name, value])).toEqual(
      stateAt(space.journal, run, seq).states.map(({ name, value }) => [name, value]),
    );
  }
  const plain = (id: string, of = space.journal) => {
    const { run_id: _id, forked_from: _from, read_only: _only, ...detail } = detailOf(of, id, 0);
    return JSON.parse(JSON.stringify(detail, (key, value) => (key === 'written_by' ? '' : value))) as Json;
  };
  expect(plain(runId, journal)).toEqual(plain(run));
  expect([...(new RunReader(journal, journal.row(runId)).history(last_seq).Out ?? [])]).toEqual(
    new RunReader(space.journal, space.journal.row(run)).history(last_seq).Out,
  );
  expect(await replayRun(journal, runId, 'recorded', { ...options(), folder: '/nowhere' })).toMatchObject({
    divergence: null,
    steps: last_seq,
    effects: 3,
  });
  expect(() => journal.removeRun(runId, 0)).toThrow(expect.objectContaining({ variant: 'Conflict' }));
  // The very same again: nothing in it depends on when it was written.
  expect(capsuleText(makeCapsule(space.journal, run, nothing, noSecrets))).toBe(text);
  expect(JSON.parse(capsuleText(makeCapsule(journal, runId, nothing, noSecrets)))).toEqual(JSON.parse(text));
});

test('a capsule recorded before edited approvals were marked computes again the same, and shows only what it knows', async () => {
  // Recorded by version 0.1.0: one call edited, one approved as it was; in a flow that is called as a tool one edited, one refused.
  const text = readFileSync(new URL('./edited-approval-0.1.0.capsule', import.meta.url), 'utf8');
  expect(text).not.toContain('ran_with');
  const { journal, runId } = await open(text);
  expect(await replayRun(journal, runId, 'recorded', options())).toMatchObject({ divergence: null, steps: 14 });
  expect(editedCalls(journal, runId)).toMatchObject([
    { tool: 'write_file', input: { content: 'model' }, ran_with: { path: 'a.txt', content: 'person' } },
    { tool: 'write_file', input: { content: 'model' }, ran_with: { path: 'inner.txt', content: 'person' } },
  ]);
  expect(JSON.stringify(new RunReader(journal, journal.row(runId)).conversation('A'))).not.toContain('edited_by');
});

test('a capsule recorded when models were asked again in other words replays without a difference', async () => {
  // Recorded by version 0.1.0: an empty answer, an answer that violates its schema, and an answer without a tool call.
  const text = readFileSync(new URL('./asked-again-0.1.0.capsule', import.meta.url), 'utf8');
  for (const old of ['That does not fit the schema of the result: it is no JSON.', 'That was no tool call.']) expect(text).toContain(old);
  const { journal, runId } = await open(text);
  expect(await replayRun(journal, runId, 'recorded', options())).toMatchObject({ divergence: null, steps: 6, effects: 5 });
});

test('a capsule recorded when ids and seeds followed from the number of the record replays without a difference', async () => {
  // Recorded by the rules of engine 2: random numbers, calls of an agent (a flow among them) and of a tool node.
  const text = readFileSync(new URL('./ids-by-record-engine-2.capsule', import.meta.url), 'utf8');
  for (const old of ['"engine":2', 'call_2_1', 'call_8']) expect(text).toContain(old);
  const { journal, runId } = await open(text);
  expect(await replayRun(journal, runId, 'recorded', options())).toMatchObject({ divergence: null, steps: 8 });
});

test('runs of all kinds of flows survive their capsules', async () => {
  for (const seed of [147356930, 5, 77, 1234]) {
    const executor = await startGraph(space, soundFlow(seed), { n: 2, path: [] });
    await driveToEnd(space.journal, executor);
    executor.close();
    const { journal, runId } = await open(capsuleText(makeCapsule(space.journal, executor.runId, nothing, noSecrets)));
    expect(await replayRun(journal, runId, 'recorded', options())).toMatchObject({ divergence: null });
  }
}, 30_000);

test('a capsule can be forked here, with its own flow, into a run of ours', async () => {
  const run = await runOf({ n: 1, email: 'ann@example.org' });
  const { journal, runId } = await open(capsuleText(makeCapsule(space.journal, run, nothing, noSecrets)));
  const plan = await planFork(
    journal,
    forkAt(runId, 1, { states: [{ name: 'Out', value: { n: 7, email: 'bob@example.org' } }] }),
    options(),
  );
  const fork = RunExecutor.open(await space.options(), makeFork(space.journal, plan, 'a-fork', 1));
  expect(await fork.continue()).toMatchObject({ status: 'success', output: { done: true } });
  expect(space.journal.forkOriginOf(space.journal.row('a-fork'))).toEqual({ run_id: runId, seq: 1 });
});

describe('masking', () => {
  test('masks known secrets everywhere in a capsule and lists their paths', async () => {
    const secret = 'sk-"quoted"-and-long-enough';
    const run = await runOf({ n: 1, email: `key ${secret}` }, JSON.stringify({ inside: secret, encoded: encodeURIComponent(secret) }));
    const plain = capsuleText(makeCapsule(space.journal, run, nothing, noSecrets));
    expect(plain).toContain('and-long-enough');
    const capsule = makeCapsule(space.journal, run, nothing, new Map([['KEY', secret]]));
    const bytes = Buffer.from(capsuleText(capsule));
    for (const form of [
      secret,
      JSON.stringify(secret).slice(1, -1),
      encodeURIComponent(secret),
      Buffer.from(secret).toString('base64'),
      'and-long-enough',
    ]) {
      expect(bytes.includes(form)).toBe(false);
    }
    expect(capsule.masked.length).toBeGreaterThan(3);
    expect(new Set(capsule.masked.map(({ reason }) => reason))).toEqual(new Set(['secret KEY']));
    expect((await open(capsuleText(capsule))).capsule.input).toEqual({ n: 1, email: 'key {secret:KEY}' });
  });

  test('removes redacted values everywhere and keeps the shapes of values', async () => {
    const run = await runOf({ n: 41, email: 'ann@example.org' });
    const capsule = makeCapsule(space.journal, run, { places: ['In/email', 'Out/n'], texts: ['written'] }, noSecrets);
    const text = capsuleText(capsule);
    expect(text).not.toMatch(/ann@example|"written"/);
    expect(capsule.input).toEqual({ n: 41, email: '{redacted}' });
    const { journal, runId } = await open(text);
    expect(stateAt(journal, runId, 1).states).toMatchObject([{ name: 'Out', value: { n: 0, email: '{redacted}' } }]);
    const contents = await contentsOf(capsule);
    expect(contents.masked.map(({ reason }) => reason)).toEqual(expect.arrayContaining(['In/email', 'Out/n', 'text']));
    expect(contents.not_replayable).toContain('step 1');
    const pointed = makeCapsule(space.journal, run, { places: ['/input/email'], texts: [] }, noSecrets);
    expect(capsuleText(pointed)).not.toContain('ann@example');
    for (const place of ['Absent', 'In/street', '/steps/99']) {
      expect(() => makeCapsule(space.journal, run, { places: [place], texts: [] }, noSecrets)).toThrow(
        expect.objectContaining({ variant: 'NotFound' }),
      );
    }
  });

  test('lists the contents of a capsule before it is written', async () => {
    const run = await runOf({ n: 1, email: 'ann@example.org' });
    const capsule = makeCapsule(space.journal, run, nothing, noSecrets);
    expect(await contentsOf(capsule)).toMatchObject({
      run_id: run,
      records: 5,
      size: Buffer.byteLength(capsuleText(capsule)),
      states: [
        { name: 'In', times: 1 },
        { name: 'Out', times: 1 },
        { name: 'B', times: 1 },
      ],
      effects: [
        { kind: 'model', name: 'script://script.json', times: 2 },
        { kind: 'tool', name: 'write_file', times: 1 },
      ],
      conversations: [{ node: 'Out' }],
      masked: [],
      not_replayable: null,
    });
  });
});

describe('a forged or broken capsule', () => {
  type Path = readonly (string | number)[];

  /** The text of a capsule with another value at each of these places, with an updated hash, as a forger would write it. */
  async function forged(edits: readonly (readonly [path: Path, value: Json])[], sign = true): Promise<string> {
    const run = await runOf({ n: 1, email: 'ann@example.org' });
    const capsule = JSON.parse(capsuleText(makeCapsule(space.journal, run, nothing, noSecrets))) as Json;
    const { integrity, ...body } = edits.reduce((json, [path, value]) => withValue(json, path, value), capsule) as unknown as Capsule;
    return JSON.stringify({ ...body, integrity: sign ? integrityOf(body) : integrity });
  }

  function withValue(json: Json, [key, ...rest]: Path, value: Json): Json {
    if (key === undefined) return value;
    if (Array.isArray(json)) return Object.assign([...json], { [key]: withValue((json[key as number] ?? null) as Json, rest, value) });
    return { ...(json as JsonObject), [key]: withValue(((json as JsonObject)[key] ?? null) as Json, rest, value) };
  }

  const effect = { key: 'k', kind: 'tool', node: 'Out', name: 'write_file', input: {}, outcome: { result: 1 } };

  test.each<[string, Path, Json, RegExp]>([
    ['an unknown field', ['extra'], 1, /Unrecognized key/],
    ['a flow that does not build', ['flow', 'text'], '{"pravah":1}', /its flow is invalid/],
    ['a beginning without states', ['start', 'states'], [], /there is no state/],
    ['a state that the flow does not know', ['start', 'states'], [{ name: 'X', value: 1 }], /no state X/],
    ['an invalid control', ['steps', 0, 'control'], { agents: { Out: { phase: 'dance' } } }, /step 1/],
    ['an invalid control part', ['steps', 0, 'control'], { agents: 7 }, /step 1/],
    ['an effect of an unknown kind', ['steps', 1, 'effects', 0, 'kind'], 'root', /kind/],
    ['two effects under one key', ['steps', 1, 'effects'], [effect, effect], /twice/],
    ['a record of no node', ['steps', 0, 'node'], 7, /node/],
  ])('with %s is refused, with the reason', async (_name, path, value, reason) => {
    const error = await open(await forged([[path, value]])).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ variant: 'SnapLoadError', message: expect.stringMatching(reason) });
  });

  test('is refused if it is not a capsule or was altered', async () => {
    await expect(open('no capsule')).rejects.toThrow(/is not valid JSON/);
    await expect(open('{"pravah_capsule":2}')).rejects.toThrow(/at pravah_capsule/);
    await expect(open('['.repeat(200_000))).rejects.toThrow(/nested too deeply/);
    await expect(open(await forged([[['run', 'flow_name'], 'X']], false))).rejects.toThrow(/altered or is corrupt/);
  });

  test('with code of a workspace in its flow runs none of it', async () => {
    const document = documentOf('In', 'B', [{ kind: 'work', from: 'In', to: 'B', module: './evil.mjs', export: 'run' }]);
    const source = "throw new Error('it ran'); export const run = () => 1;";
    const text = await forged([
      [['flow'], { text: JSON.stringify(document), sources: { 'evil.mjs': source }, graph: null }],
      [['steps'], []],
      [['run', 'status'], 'paused'],
      [['run', 'output'], null],
    ]);
    const { journal, runId } = await open(text);
    expect(stateAt(journal, runId, 0).next).toBe('In');
    expect(await replayRun(journal, runId, 'recorded', options())).toMatchObject({ divergence: null, total: 0 });
    await expect(planFork(journal, forkAt(runId, 0), options())).rejects.toMatchObject({ variant: 'Invalid' });
  });

  test('with a graph beside its text is judged by its text', async () => {
    const limits = { steps: 1, seconds: 1, model_calls: 1, tokens: 1 };
    const graph = { name: 'Evil', input: 'In', output: 'B', schemas: {}, nodes: [], limits, hash: 'x' };
    const { journal, runId } = await open(await forged([[['flow', 'graph'], graph]]));
    expect(journal.graphOf(journal.row(runId)).nodes.length).toBeGreaterThan(1);
  });
});
