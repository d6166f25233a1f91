import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startStudio, temporaryPlaces } from '#main/services/testing/studio-client.ts';

const flow = (content: string) => `pravah: 1
name: A small flow
input: A
output: C
schemas: { A: { type: object }, B: { type: object }, C: { type: object } }
nodes:
  - { kind: work, from: A, to: B, tool: write_file, with: { path: out.txt, content: "${content}" } }
  - { kind: work, from: B, to: C, run: "({ bytes }) => ({ bytes, twice: bytes * 2 })" }
`;

test('a run can be forked, replayed, compared, exported and its files restored through the contract', async () => {
  const { folder } = await temporaryPlaces(onTestFinished);
  const { client } = startStudio(onTestFinished, folder);
  const { runs } = client;
  const path = 'a.flow.yaml';
  await writeFile(join(folder, path), flow('one'));
  const { unconfirmed } = await client.consent.ofFlow({ path, text: flow('one') });
  await client.consent.confirm({ flow_path: path, keys: unconfirmed });
  const { run_id: runId } = await runs.start({ flow_path: path, text: flow('one'), input: {} });
  await runs.step({ run_id: runId, mode: 'into' });
  expect(await runs.step({ run_id: runId, mode: 'into' })).toMatchObject({ status: 'success', output: { bytes: 3, twice: 6 } });

  const request = { run_id: runId, seq: 1, states: [{ name: 'B', value: { bytes: 10 } }] };
  expect(await runs.forkCheck(request)).toEqual({ misfits: [], notes: [], restarts: false, flow_changed: false, next: 'B' });
  const fork = await runs.fork(request);
  expect(await runs.step({ run_id: fork.run_id, mode: 'into' })).toMatchObject({
    output: { twice: 20 },
    forked_from: { run_id: runId, seq: 1 },
  });
  const misfit = { run_id: runId, seq: 1, states: [{ name: 'B', value: 1 }] };
  expect((await runs.forkCheck(misfit)).misfits).toMatchObject([{ path: '/states/0/value', state: 'B' }]);
  await expect(runs.fork(misfit)).rejects.toMatchObject({ code: 'FAILED', data: { variant: 'SnapLoadError' } });

  expect(await runs.replay({ run_id: runId })).toMatchObject({ divergence: null, steps: 2, effects: 1 });
  await writeFile(join(folder, path), flow('other'));
  expect(await runs.replay({ run_id: runId, flow: 'current' })).toMatchObject({
    steps: 0,
    divergence: { seq: 1, what: 'effect', actual: 'other' },
  });

  // The current flow may not accept the recorded state: that is reported before anything is created.
  const unfit = flow('one').replace('B: { type: object }', 'B: { type: object, required: [lines] }');
  await writeFile(join(folder, path), unfit);
  const changed = { run_id: runId, seq: 1, flow: 'current' } as const;
  expect(await runs.forkCheck(changed)).toMatchObject({
    misfits: [{ path: '/states/0/value/lines', state: 'B' }],
    flow_changed: true,
    next: null,
  });
  await expect(runs.fork(changed)).rejects.toMatchObject({
    data: { variant: 'SnapLoadError', details: { path: '/states/0/value/lines' } },
  });
  await writeFile(join(folder, path), flow('other'));

  const compared = await runs.compare({ run_id: runId, other_run_id: fork.run_id, limit: 1 });
  expect(compared).toMatchObject({ total: 2, first_divergence: 0, steps: [{ kind: 'start', differs: ['states'] }] });
  expect(await runs.compareStep({ run_id: runId, seq: 2, other_run_id: fork.run_id, other_seq: 1 })).toMatchObject({
    states: [{ name: 'C', changes: [{ path: '/bytes' }, { path: '/twice', before: 6, after: 20 }] }],
  });

  const { files } = await runs.restorePreview({ run_id: runId, seq: 0 });
  expect(files).toMatchObject([{ path: 'out.txt', action: 'remove', before: 'one', conflict: false }]);
  // The file was changed outside the run: a conflict, and the earlier preview is not enough to replace it.
  await writeFile(join(folder, 'out.txt'), 'mine');
  expect((await runs.restorePreview({ run_id: runId, seq: 0 })).files).toMatchObject([
    { action: 'remove', before: 'mine', conflict: true },
  ]);
  expect((await runs.restore({ run_id: runId, seq: 0, files })).files).toMatchObject([
    { outcome: 'failed', error: { details: { code: 'CHANGED' } } },
  ]);
  expect(await readFile(join(folder, 'out.txt'), 'utf8')).toBe('mine');
  await writeFile(join(folder, 'out.txt'), 'one');
  const { restore_id } = await runs.restore({ run_id: runId, seq: 0, files });
  await expect(readFile(join(folder, 'out.txt'))).rejects.toThrow();
  await runs.undoRestore({ run_id: runId, restore_id });
  expect(await readFile(join(folder, 'out.txt'), 'utf8')).toBe('one');

  expect(await runs.capsulePreview({ run_id: runId, redact: { places: ['C'], texts: [] } })).toMatchObject({
    masked: [{ reason: 'C' }, { reason: 'C' }],
  });
  const { file_name, content } = await runs.exportCapsule({ run_id: runId });
  expect(file_name).toBe('A-small-flow.capsule.json');
  const capsule = await runs.openCapsule({ content });
  const seen = await runs.list({});
  expect(seen.find((run) => run.run_id === capsule.run_id)).toMatchObject({
    read_only: true,
    status: 'success',
    flow_name: 'A small flow',
  });
  expect(await runs.stateAt({ run_id: capsule.run_id, seq: 1 })).toMatchObject({ states: [{ name: 'B', value: { bytes: 3 } }], next: 'B' });
  await expect(runs.step({ run_id: capsule.run_id, mode: 'into' })).rejects.toMatchObject({
    code: 'FAILED',
    data: { variant: 'Conflict' },
  });
  expect(await runs.replay({ run_id: capsule.run_id })).toMatchObject({ divergence: null });
  const ours = await runs.fork({ run_id: capsule.run_id, seq: 1 });
  expect(await runs.step({ run_id: ours.run_id, mode: 'into' })).toMatchObject({ status: 'success', read_only: false });
  await runs.remove({ run_id: capsule.run_id });
  await expect(runs.get({ run_id: capsule.run_id })).rejects.toMatchObject({ data: { variant: 'NotFound' } });
  await expect(runs.openCapsule({ content: '{}' })).rejects.toMatchObject({ data: { variant: 'SnapLoadError' } });
});

test('a run continues with an edited nested flow as a fork that says so, after a check of its past', async () => {
  const { folder } = await temporaryPlaces(onTestFinished);
  const { client } = startStudio(onTestFinished, folder);
  const { runs } = client;
  const inner = (first: string, second: string) => `pravah: 1
name: Inner
input: A
output: C
schemas: { A: { type: integer }, B: { type: integer }, C: { type: integer } }
nodes:
  - { kind: work, from: A, to: B, expr: "${first}" }
  - { kind: work, from: B, to: C, expr: "${second}" }
`;
  const outer = `pravah: 1
name: Outer
input: A
output: C
schemas: { A: { type: integer }, C: { type: integer } }
nodes:
  - { kind: flow, flow: ./inner.flow.yaml }
`;
  const write = (text: string) => writeFile(join(folder, 'inner.flow.yaml'), text);
  await write(inner('input + 1', 'input * 10'));
  await writeFile(join(folder, 'outer.flow.yaml'), outer);
  const { run_id } = await runs.start({ flow_path: 'outer.flow.yaml', text: outer, input: 1 });
  expect(await runs.step({ run_id, mode: 'into' })).toMatchObject({ status: 'paused', seq: 1 });
  expect(await runs.sources({ run_id })).toEqual({ 'inner.flow.yaml': inner('input + 1', 'input * 10') });

  await write(inner('input + 1', 'input * 100'));
  const check = { run_id, seq: 1, flow: 'current', compare_past: true } as const;
  expect(await runs.forkCheck(check)).toMatchObject({ misfits: [], first_difference: { same: 1, of: 1, divergence: null } });
  const { run_id: next } = await runs.fork({ run_id, seq: 1, flow: 'current', continues: true });
  expect(await runs.get({ run_id: next })).toMatchObject({ forked_from: { run_id, seq: 1, continues: true } });
  expect(await runs.step({ run_id: next, mode: 'into' })).toMatchObject({ status: 'success', output: 200 });
  expect(await runs.get({ run_id })).toMatchObject({ status: 'paused', seq: 1 });

  await write(inner('input + 2', 'input * 100'));
  expect((await runs.forkCheck(check)).first_difference).toMatchObject({ same: 0, of: 1, divergence: { seq: 1, what: 'states' } });
});
