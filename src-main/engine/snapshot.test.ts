import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callToEnd, type RestOfRun } from '#main/engine/testing/drive.ts';
import { either, expr, flowOf, fork, join, quietContext, work } from '#main/engine/testing/flows.ts';
import { agentScript, callScript, soundFlow } from '#main/engine/testing/random-flow.ts';
import { goOn } from '#main/engine/testing/run-to-end.ts';
import { TestWorkspace } from '#main/engine/testing/workspace.ts';
import { slowness } from '#main/testing/slowness.ts';
import type { NodeBody } from '#shared/flow/graph.ts';
import type { Json } from '#shared/json.ts';
import type { Snapshot } from '#shared/run/snapshot.ts';
import { FlowRuntime } from './flow-runtime.ts';

/** Another Node process that restores and finishes runs. */
function restoringProcess(folder: string) {
  const program = fileURLToPath(new URL('./testing/restore-process.ts', import.meta.url));
  const child = spawn(process.execPath, [program, folder], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async finish(request: unknown): Promise<Json> {
      child.stdin.write(`${JSON.stringify(request)}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error('The restoring process has ended.');
      return JSON.parse(value as string) as Json;
    },
    end: () => child.stdin.end(),
  };
}

describe('a snapshot', () => {
  it(
    'lets a new process go on after every call exactly as the run itself would',
    async () => {
      using space = new TestWorkspace({ onEvent: undefined });
      space.write('script.json', JSON.stringify(agentScript));
      space.write('calls.json', JSON.stringify(callScript));
      const other = restoringProcess(space.folder);
      const met = new Set<string>();
      const most = 12;
      try {
        await fc.assert(
          fc.asyncProperty(fc.integer({ min: 0 }), fc.integer({ min: 0, max: 5 }), async (flow, n) => {
            const graph = soundFlow(flow);
            const runtime = FlowRuntime.new(graph, { n, path: [] }, { run_id: 'run' });
            const taken: string[] = [];
            const take = () => {
              const { control } = runtime.snapshot();
              if (Object.keys(control.frames).length > 0) met.add('each');
              if (JSON.stringify(control).includes('"flow":{"snapshot"')) met.add('called flow');
              taken.push(JSON.stringify({ snapshot: runtime.snapshot(), history: runtime.history(), calls: most - taken.length }));
            };
            const whole = JSON.parse(JSON.stringify(await callToEnd(runtime, space.context, most, take))) as RestOfRun;
            for (const outcome of whole.outcomes) met.add((outcome as { readonly type: string }).type);
            const restores = taken.map((text) => JSON.parse(text) as Json);
            const rests = await other.finish({ graph, restores });
            expect(rests).toEqual(taken.map((_, index) => ({ ...whole, outcomes: whole.outcomes.slice(index) })));
          }),
          { seed: 7, numRuns: 16 },
        );
      } finally {
        other.end();
      }
      expect([...met].sort()).toEqual(expect.arrayContaining(['called flow', 'continue', 'done', 'each', 'suspend']));
    },
    120_000 * slowness,
  );

  const graph = flowOf([fork('A', ['B', 'C']), work('B', 'B1'), join(['B1', 'C'], 'Z')], { schemas: { B1: { type: 'object' } } });
  const snapshotAfter = async (steps: number) => {
    const runtime = FlowRuntime.new(graph, { n: 1 }, { run_id: 'run' });
    for (let step = 0; step < steps; step += 1) await runtime.next(quietContext());
    return JSON.parse(JSON.stringify(runtime.snapshot())) as Snapshot;
  };

  it('is plain JSON of the whole run', async () => {
    expect(await snapshotAfter(2)).toEqual({
      pravah: 1,
      run_id: 'run',
      seq: 2,
      flow: { name: 'test', hash: graph.hash },
      states: [
        { name: 'C', value: { n: 1 } },
        { name: 'B1', value: { n: 1 } },
      ],
      written: [1, 2],
      control: {
        agents: {},
        frames: {},
        handlers: {},
        suspensions: [],
        answers: [],
        counters: { steps: 2, seconds: 0, model_calls: 0, tokens: 0 },
        script_positions: {},
      },
    });
  });

  it.each<[string, (snapshot: Snapshot) => unknown, string]>([
    ['an unknown version', (snapshot) => ({ ...snapshot, pravah: 2 }), '/pravah'],
    ['a part that is missing', ({ control: _gone, ...rest }) => rest, '/control'],
    ['an unknown state', (snapshot) => ({ ...snapshot, states: [{ name: 'X', value: 1 }] }), '/states/0/name'],
    ['a state twice', (snapshot) => ({ ...snapshot, states: [snapshot.states[0], snapshot.states[0]] }), '/states/1/name'],
    ['no state', (snapshot) => ({ ...snapshot, states: [] }), '/states'],
    ['a value that misses its schema', (snapshot) => ({ ...snapshot, states: [{ name: 'B1', value: 'text' }] }), '/states/0/value'],
    [
      'an unknown node',
      (snapshot) => ({ ...snapshot, control: { ...snapshot.control, script_positions: { X: 1 } } }),
      '/control/script_positions/X',
    ],
    ['a value that is no JSON', (snapshot) => ({ ...snapshot, states: [{ name: 'B', value: undefined }] }), '/states/0/value'],
    ['another flow', (snapshot) => ({ ...snapshot, flow: { name: 'test', hash: 'other' } }), '/flow/hash'],
  ])('of %s is refused, with the path', async (_name, damage, path) => {
    const damaged = damage(await snapshotAfter(2)) as Snapshot;
    expect(() => FlowRuntime.fromSnapshot(graph, damaged)).toThrow(
      expect.objectContaining({
        variant: 'SnapLoadError',
        options: expect.objectContaining({ details: expect.objectContaining({ path }) }),
      }),
    );
  });

  it('of another version of the flow opens when that is accepted, and its values still have to fit', async () => {
    const changed = { ...graph, hash: 'b'.repeat(64) };
    const runtime = FlowRuntime.fromSnapshot(changed, await snapshotAfter(1), { accept_changed_flow: true });
    expect(await goOn(runtime)).toMatchObject({ type: 'done' });
    const stricter = { ...changed, schemas: { ...graph.schemas, B: { required: ['m'] } } };
    const open = async () => FlowRuntime.fromSnapshot(stricter, await snapshotAfter(1), { accept_changed_flow: true });
    await expect(open()).rejects.toThrow(
      expect.objectContaining({ variant: 'SnapLoadError', message: expect.stringContaining('/m is missing') }),
    );
  });

  it('continues with its counters', async () => {
    const loop = flowOf([either('A', ['B', 'Z'], expr('true')), work('B', 'A')], { limits: { steps: 5 } });
    const first = FlowRuntime.new(loop, {});
    for (let step = 0; step < 3; step += 1) await first.next(quietContext());
    const second = FlowRuntime.fromSnapshot(loop, first.snapshot());
    await second.next(quietContext());
    await second.next(quietContext());
    await expect(second.next(quietContext())).rejects.toThrow(expect.objectContaining({ variant: 'LimitExceeded' }));
  });

  it('of an agent between two turns needs the conversation, too', async () => {
    using space = new TestWorkspace();
    const model = space.script({ text: 'hm' }, { output: 1 });
    const body: NodeBody = { type: 'agent', agent: { model, tools: ['ask_user'] } };
    const flow = flowOf([{ kind: 'agent', from: ['A'], to: ['Z'], body }]);
    const runtime = FlowRuntime.new(flow, {});
    await runtime.next(space.context);
    const without = FlowRuntime.fromSnapshot(flow, runtime.snapshot());
    await expect(without.next(space.context)).rejects.toThrow(expect.objectContaining({ variant: 'SnapLoadError' }));
    const whole = FlowRuntime.fromSnapshot(flow, runtime.snapshot()).withHistory(runtime.history());
    expect(await goOn(whole, space.context)).toEqual({ type: 'done', output: 1 });
  });
});
