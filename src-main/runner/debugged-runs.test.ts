import fc from 'fast-check';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { evaluateAt } from '#main/debug/evaluate.ts';
import { lineage } from '#main/debug/lineage.ts';
import { previousStop, recordedStops } from '#main/debug/scan.ts';
import type { Tool } from '#main/engine/ports/tool.ts';
import { RunReader } from '#main/journal/run-reader.ts';
import type { Breakpoint } from '#shared/contract/breakpoint.ts';
import type { Json, JsonObject } from '#shared/json.ts';
import type { RunEvent } from '#shared/run/event.ts';
import type { Stop } from '#shared/run/stop.ts';
import type { DriveResult } from './drive-result.ts';
import { RunExecutor } from './run-executor.ts';
import { TestWorkspace } from './testing.ts';

let space: TestWorkspace;
beforeAll(() => {
  space = new TestWorkspace();
});
afterAll(() => space.remove());

/** A tool without effects, which fails for odd numbers. */
const half: Tool = {
  name: 'half',
  description: 'Halves an even number.',
  input_schema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
  effect: 'read',
  approve: 'never',
  call: async (input: Json) => {
    const { n } = input as { n: number };
    if (n % 2 !== 0) throw new Error(`${n} is odd`);
    return { n: n / 2 };
  },
} as Tool;

const leaves = ['work', 'tool', 'suspend', 'agent', 'loop', 'code'] as const;

/** A part of a random flow. Each takes and gives an object with a number `n`. */
type Block =
  | { readonly type: (typeof leaves)[number] }
  | { readonly type: 'written'; readonly as: 'flow' | 'each' | 'within' }
  | { readonly type: 'either' | 'fork' | 'flow' | 'each' | 'call' | 'within'; readonly inside: readonly Block[] };

const around = ['either', 'fork', 'flow', 'each', 'call'] as const;

/** Random parts of flows. `nesting`: those that contain others. */
function blocksOf(nesting: readonly Exclude<Block['type'], (typeof leaves)[number] | 'written'>[]): fc.Arbitrary<Block[]> {
  return fc.letrec<{ blocks: Block[]; block: Block }>((tie) => ({
    blocks: fc.array(tie('block'), { minLength: 1, maxLength: 3 }),
    block: fc.oneof(
      { maxDepth: 2, depthSize: 'small' },
      fc.record({ type: fc.constantFrom(...leaves) }),
      fc.record({ type: fc.constantFrom(...nesting), inside: tie('blocks') }),
    ),
  })).blocks;
}

/** Nodes, states and the document of a flow made of blocks. Nested flows become files of the workspace. */
class FlowWriter {
  readonly path: string;
  readonly nodes: Json[] = [];
  readonly states = new Set<string>();
  readonly #files: { next: number };
  readonly places: { flow: string; node: string; to: string[]; states: string[] }[];

  constructor(path: string, files: { next: number }, places: FlowWriter['places']) {
    [this.path, this.#files, this.places] = [path, files, places];
  }

  document(input: string, output: string, inside: readonly Block[]): Json {
    let at = input;
    for (const block of inside) at = this.#add(block, at);
    this.#node('work', at, output);
    const schemaOf = (name: string): Json => (name.startsWith('List') ? { type: 'array', items: {} } : {});
    const schemas = Object.fromEntries([...this.states].map((name) => [name, schemaOf(name)]));
    return { pravah: 1, name: this.path, input, output, schemas, nodes: this.nodes };
  }

  #state(name = 'S'): string {
    // Unique in all files: a nested flow's input and output are named by the flow around it.
    this.#files.next += 1;
    return `${name}${this.#files.next}`;
  }

  #node(kind: string, from: string | string[], to: string | string[], more: object = {}): void {
    const [inputs, outputs] = [[from].flat(), [to].flat()];
    for (const name of [...inputs, ...outputs]) this.states.add(name);
    this.nodes.push({ kind, from, to, ...more } as Json);
    this.places.push({ flow: this.path, node: inputs.join('+'), to: outputs, states: [...inputs, ...outputs] });
  }

  /** A file with the flow of these blocks; returns its path from a flow. */
  #file(input: string, output: string, inside: readonly Block[]): string {
    this.#files.next += 1;
    const path = `nested${this.#files.next}.flow.json`;
    space.write(path, new FlowWriter(path, this.#files, this.places).document(input, output, inside));
    return `./${path}`;
  }

  /** A file with a flow in code that calls a tool and chooses between two ways; returns its path from a flow. */
  #codeFile(input: string, output: string): string {
    this.#files.next += 1;
    const [path, between, low, high] = [`code${this.#files.next}.flow.ts`, this.#state('Between'), this.#state('Low'), this.#state('High')];
    const stateOf = (name: string) => `const ${name} = state('${name}', jsonSchema<{ readonly n: number }>({}));`;
    space.write(
      path,
      `import { defineFlow, jsonSchema, left, right, state } from 'pravah-studio/runtime';
      ${[input, output, between, low, high].map(stateOf).join('\n')}
      export default defineFlow({ input: ${input}, output: ${output}, name: '${path}' })
        .work(${input}, ${between}, async ({ n }, ctx) => {
          for (const path of ['there.txt', 'gone.txt']) try { await ctx.tools.read_file({ path }); n += 1 } catch {}
          return { n };
        }, { tools: ['read_file'] })
        .either(${between}, [${low}, ${high}], ({ n }) => (n % 2 === 0 ? left({ n }) : right({ n })), { pure: true })
        .work(${low}, ${output}, ({ n }) => ({ n: n + 1 }), { pure: true })
        .work(${high}, ${output}, ({ n }) => ({ n: n + 2 }), { pure: true })
        .build();`,
    );
    const place = (node: string, ...to: string[]) => this.places.push({ flow: path, node, to, states: [node, ...to] });
    place(input, between);
    place(between, low, high);
    place(low, output);
    place(high, output);
    return `./${path}`;
  }

  /** Adds the nodes of a block after a state and returns the state that it gives. */
  #add(block: Block, from: string): string {
    const to = this.#state();
    switch (block.type) {
      case 'work':
        this.#node('work', from, to, { expr: '{n: n + 1}' });
        return to;
      case 'tool': {
        this.#node('work', from, this.#even(from), { expr: '{n: n - n % 2}' });
        this.#node('work', this.#even(from), to, { tool: 'half', with: { n: '{n}' } });
        return to;
      }
      case 'code':
        // Three calls within one step: one succeeds, one fails, and one is refused.
        this.#node('work', from, to, {
          run: 'async ({ n }, ctx) => { for (const m of [2, 3, "x"]) try { n = (await ctx.tools.half({ n: m })).n } catch {} return { n } }',
          tools: ['half'],
        });
        return to;
      case 'suspend':
        this.#node('suspend', from, to);
        return to;
      case 'agent':
        this.#node('agent', from, to, { agent: { model: 'script://turns.json', tools: ['half'] } });
        return to;
      case 'loop': {
        const [count, again] = [this.#state('Count'), this.#state('Again')];
        this.#node('work', from, count, { expr: '{n: 0}' });
        this.#node('either', count, [again, to], { expr: 'n < 2' });
        this.#node('work', again, count, { expr: '{n: n + 1}' });
        return to;
      }
      case 'either': {
        const [left, right] = [this.#state('Left'), this.#state('Right')];
        this.#node('either', from, [left, right], { expr: 'n % 2 === 0' });
        this.#node('work', this.#all(block.inside, left), to);
        this.#node('work', right, to, { expr: '{n: n + 10}' });
        return to;
      }
      case 'fork': {
        const [left, right] = [this.#state('Left'), this.#state('Right')];
        this.#node('fork', from, [left, right]);
        this.#node('join', [this.#all(block.inside, left), right], to);
        return to;
      }
      case 'flow': {
        const flow = this.#file(from, to, block.inside);
        for (const name of [from, to]) this.states.add(name);
        this.nodes.push({ kind: 'flow', flow });
        this.places.push({ flow: this.path, node: from, to: [], states: [] });
        return to;
      }
      case 'call': {
        const tool = `flow:${this.#file('Asked', 'Told', block.inside)}`;
        const script = `script${this.#files.next}.json`;
        // The second call of each turn runs after the first one has finished.
        const turn = (n: number): Json[] => [{ tool_calls: [0, 1].map((more) => ({ tool, input: { n: n + more } })) }, { output: { n } }];
        space.write(script, { turns: Array.from({ length: 40 }, (_, n) => turn(n)).flat() });
        this.#node('agent', from, to, { agent: { model: `script://${script}`, tools: [tool] } });
        return to;
      }
      case 'written': {
        if (block.as === 'within') {
          this.#node('work', from, to, { tool: `flow:${this.#codeFile(this.#state('Given'), this.#state('Back'))}`, with: { n: '{n}' } });
        } else if (block.as === 'each') {
          const [list, results] = [this.#state('List'), this.#state('ListOf')];
          this.#node('work', from, list, { expr: '[{n: n}, {n: 2}]' });
          this.#node('each', list, results, { flow: this.#codeFile(this.#state('Item'), this.#state('Out')) });
          this.#node('work', results, to, { expr: '{n: len(input)}' });
        } else {
          for (const name of [from, to]) this.states.add(name);
          this.nodes.push({ kind: 'flow', flow: this.#codeFile(from, to) });
          this.places.push({ flow: this.path, node: from, to: [], states: [] });
        }
        return to;
      }
      case 'within': {
        // The flow runs within one step: no step of it is a record.
        const tool = `flow:${this.#file('Given', 'Back', block.inside)}`;
        this.#node('work', from, to, { tool, with: { n: '{n}' } });
        return to;
      }
      case 'each': {
        const [list, results] = [this.#state('List'), this.#state('ListOf')];
        this.#node('work', from, list, { expr: '[{n: n}, {n: 2}, {n: 3}]' });
        this.#node('each', list, results, { flow: this.#file('Item', 'Out', block.inside) });
        this.#node('work', results, to, { expr: '{n: len(input)}' });
        return to;
      }
    }
  }

  #all(inside: readonly Block[], from: string): string {
    let at = from;
    for (const block of inside) at = this.#add(block, at);
    return at;
  }

  #even(from: string): string {
    return `${from}Even`;
  }
}

type Places = FlowWriter['places'];

/** A breakpoint for these places, chosen by four numbers. */
function breakpointOf(places: Places, index: number, [kind, at, how, on]: readonly [number, number, number, number]): Breakpoint {
  const place = places[at % places.length] as Places[number];
  const { flow, node, to, states } = place;
  const common = {
    id: `b${index}`,
    ...[{}, { condition: 'run.steps % 2 === 0' }, { hits: '%2' }, { hits: '>=2' }, { condition: 'n > 1' }, { once: true }][how % 6],
    ...(how % 7 === 6 && { log: '{input}' }),
  };
  const state = states[on % Math.max(1, states.length)];
  switch (kind % 7) {
    case 0:
      return { ...common, kind: 'before', flow, node, ...(on % 2 === 0 && { turns: true }) };
    case 1:
      return { ...common, kind: 'after', flow, node };
    case 2:
      return { ...common, kind: 'branch', flow, node, state: to[on % Math.max(1, to.length)] ?? 'none' };
    case 3:
    case 4:
      return {
        ...common,
        kind: 'state',
        flow,
        state: state ?? 'none',
        on: (['written', 'consumed', 'changed'] as const)[on % 3] ?? 'written',
      };
    case 5:
      return { ...common, kind: 'tool', tool: 'half', on: (['before', 'after', 'error'] as const)[on % 3] ?? 'after' };
    default:
      return { ...common, kind: 'model', on: (['before', 'after'] as const)[on % 2] ?? 'after' };
  }
}

/** An executor whose clock and ids are those of every other run, so that journals can be compared. */
async function executorOf(document: Json, holds?: Holds): Promise<RunExecutor> {
  const built = await space.start(document, { n: 3 }, [half]);
  const row = space.journal.row(built.runId);
  const name = `${built.runId}-same`;
  const options = await space.options([half]);
  const context = { ...options.context, clock: { now: () => 1000 }, newId: idsAfter(name) };
  return RunExecutor.start(
    { ...options, context, ...(holds && { onHold: holds.onHold }) },
    { graph: space.journal.graphOf(row), flow_path: row.flow_path, flow_text: JSON.stringify(document), input: { n: 3 } },
  );
}

/** The first id, the run's, is unique; the others are the same for all runs. */
function idsAfter(name: string): () => string {
  let ids = 0;
  return () => {
    ids += 1;
    return ids === 1 ? name : `id-${ids}`;
  };
}

/** Drives a run to its end, answers what it asks, and returns where breakpoints stopped it. */
async function drive(executor: RunExecutor, holds?: Holds): Promise<[number, string][]> {
  const stops: [number, string][] = [];
  /** Waits for a call, and continues each hold. */
  const through = async (call: Promise<DriveResult>): Promise<DriveResult> => {
    for (;;) {
      const reached = await (holds ? Promise.race([call, holds.next()]) : call);
      if (!('point' in reached)) return reached;
      stops.push([space.journal.row(executor.runId).last_seq, reached.text]);
      look(executor);
      executor.continueHeld('continue');
    }
  };
  for (let call = 0; call < 2000; call += 1) {
    const { status, stop } = await through(executor.continue());
    if (stop && stop.breakpoints.length > 0) {
      stops.push([space.journal.row(executor.runId).last_seq, stop.text]);
      look(executor);
    }
    if (status === 'success' || status === 'error') return stops;
    // A flow that runs within a step may ask again at once.
    for (let asks = status === 'suspended'; asks; ) {
      const [waiting] = JSON.parse(space.journal.row(executor.runId).suspensions) as { tool_id: string; tool_call_id: string }[];
      const answered = await through(executor.resume(waiting?.tool_id ?? '', { n: 5 }, { tool_call_id: waiting?.tool_call_id }));
      if (answered.stop && answered.stop.breakpoints.length > 0)
        stops.push([space.journal.row(executor.runId).last_seq, answered.stop.text]);
      if (answered.status === 'success' || answered.status === 'error') return stops;
      asks = answered.status === 'suspended';
    }
  }
  throw new Error('the run does not end');
}

/** Evaluates watches, and traces the states that wait, as a debugger does at a stop. */
function look({ runId }: RunExecutor): void {
  const row = space.journal.row(runId);
  const [graph, reader] = [space.journal.graphOf(row), new RunReader(space.journal, row)];
  evaluateAt(graph, reader, row.last_seq, ['states', 'n + 1', 'item.index', 'run', 'run.cost']);
  for (const state of reader.foldAt(row.last_seq).states.keys())
    for (const direction of ['back', 'forth'] as const) lineage(space.journal, row, { seq: row.last_seq, state, direction });
}

/** The holds of one run, one after the other. */
class Holds {
  count = 0;
  #next = Promise.withResolvers<Stop>();

  readonly onHold = (stop: Stop | null): void => {
    if (!stop) return;
    this.count += 1;
    this.#next.resolve(stop);
    this.#next = Promise.withResolvers<Stop>();
  };

  next(): Promise<Stop> {
    return this.#next.promise;
  }
}

/** Stops with one breakpoint each: several may be reached at the same place. */
function oneByOne(stops: readonly [number, string][]): [number, string][] {
  return stops.flatMap(([seq, text]) => text.split('; ').map((part): [number, string] => [seq, part]));
}

/** Events in the order of their records, and in each of them by call: calls that run at once within a step tell theirs as they come. */
function bySpan(events: readonly RunEvent[]): RunEvent[] {
  const spanOf = ({ parent_span_id = '', span_id = '' }: RunEvent) => `${parent_span_id} ${span_id}`;
  const compare = (one: string, other: string) => Number(one > other) - Number(one < other);
  return events.toSorted(
    (one, other) => one.seq - other.seq || compare(spanOf(one), spanOf(other)) || compare(JSON.stringify(one), JSON.stringify(other)),
  );
}

/** Everything that the journal holds of a run, but its ids. */
function journalOf(runId: string, inOrder = (events: readonly RunEvent[]) => events): unknown {
  const row = space.journal.row(runId);
  const reader = new RunReader(space.journal, row);
  const { status, last_seq, tokens, attempt } = row;
  return JSON.parse(
    JSON.stringify({
      row: { status, last_seq, tokens, attempt, output: row.output, error: row.error },
      steps: reader.timeline().map(({ started_at, duration_ms, ...step }) => step),
      folds: [...reader.steps()],
      events: inOrder([...reader.events()]),
      effects: reader.effectSeqs().map((seq) => reader.effects(seq)),
      messages: reader.messageSeqs().map((seq) => reader.messagesOf(seq)),
    }).replaceAll(runId, 'RUN'),
  );
}

const chosen = fc.array(fc.tuple(fc.nat(1000), fc.nat(1000), fc.nat(1000), fc.nat(1000)), { minLength: 1, maxLength: 8 });

test('a run with breakpoints, watches and traces writes the journal of one without, and its record tells where they stopped it', async () => {
  space.write('turns.json', {
    turns: Array.from({ length: 40 }, (_, n): Json[] => [{ tool_calls: [{ tool: 'half', input: { n } }] }, { output: { n } }]).flat(),
  });
  let stopped = 0;
  let held = 0;
  await fc.assert(
    fc.asyncProperty(blocksOf(around), chosen, async (parts, choices) => {
      const places: Places = [];
      const document = new FlowWriter('test.flow.json', { next: 0 }, places).document('Start', 'End', parts);
      const breakpoints = choices.map((choice, index) => breakpointOf(places, index, choice));
      const plain = await executorOf(document);
      expect(await drive(plain)).toEqual([]);
      const debugged = await executorOf(document);
      debugged.setBreakpoints(breakpoints);
      const stops = await drive(debugged);
      stopped += stops.length;
      expect(journalOf(debugged.runId)).toEqual(journalOf(plain.runId));
      const row = space.journal.row(debugged.runId);
      const [graph, reader] = [space.journal.graphOf(row), new RunReader(space.journal, row)];
      const recorded = [...recordedStops(graph, reader, breakpoints)];
      const ended = row.status === 'success' ? row.last_seq : Number.POSITIVE_INFINITY;
      expect(recorded.filter(({ seq }) => seq < ended).map(({ seq, stop }) => [seq, stop.text])).toEqual(stops);
      // A driver that can hold waits before requests inside the step; the places are the same, one by one.
      const holds = new Holds();
      const holding = await executorOf(document, holds);
      holding.setBreakpoints(breakpoints);
      const inside = [...recordedStops(graph, reader, breakpoints, true)].filter(({ seq }) => seq < ended);
      expect(oneByOne(await drive(holding, holds))).toEqual(oneByOne(inside.map(({ seq, stop }) => [seq, stop.text])));
      expect(journalOf(holding.runId)).toEqual(journalOf(plain.runId));
      held += holds.count;
      const last = inside.findLast(({ seq }) => seq < row.last_seq);
      expect(previousStop(graph, reader, breakpoints, row.last_seq)).toEqual(last ?? null);
      for (const executor of [plain, debugged, holding]) executor.close();
    }),
    { numRuns: 60 },
  );
  // The chosen breakpoints do stop runs, some 150 times, and hold them, some 20 times.
  expect(stopped).toBeGreaterThan(20);
  expect(held).toBeGreaterThan(0);
}, 600_000);

test('breakpoints leave the journal as it is in flows that run within a step, and in runs that work ahead', async () => {
  space.write('turns.json', {
    turns: Array.from({ length: 40 }, (_, n): Json[] => [{ tool_calls: [{ tool: 'half', input: { n } }] }, { output: { n } }]).flat(),
  });
  let held = 0;
  await fc.assert(
    fc.asyncProperty(blocksOf([...around, 'within']), chosen, fc.constantFrom(1, 2, 8), async (parts, choices, ahead) => {
      const places: Places = [];
      const written = new FlowWriter('test.flow.json', { next: 0 }, places).document('Start', 'End', [
        { type: 'within', inside: parts },
      ]) as JsonObject;
      const { flow, node } = places.find((place) => place.node === 'Given') as Places[number];
      const breakpoints: Breakpoint[] = [
        { id: 'first', kind: 'before', flow, node },
        ...choices.map((choice, index) => breakpointOf(places, index, choice)),
      ];
      const journals = async (most: number, set: readonly Breakpoint[], holds?: Holds) => {
        const executor = await executorOf({ ...written, parallel: { ahead: most } }, holds);
        executor.setBreakpoints(set);
        const stops = await drive(executor, holds);
        const journal = journalOf(executor.runId, bySpan);
        executor.close();
        return { journal, stops };
      };
      const plain = await journals(ahead, []);
      expect(plain.stops).toEqual([]);
      expect((await journals(1, [])).journal).toEqual(plain.journal);
      expect((await journals(ahead, breakpoints)).journal).toEqual(plain.journal);
      const holds = new Holds();
      const holding = await journals(ahead, breakpoints, holds);
      expect(holding.journal).toEqual(plain.journal);
      held += holds.count;
    }),
    { numRuns: 25 },
  );
  expect(held).toBeGreaterThanOrEqual(25);
}, 600_000);

test('breakpoints in flows in code stop and hold a run, leave its journal as it is, and are found in its record', async () => {
  space.trusted = true;
  onTestFinished(() => {
    space.trusted = false;
  });
  space.write('there.txt', 'here');
  const written = (...as: ('flow' | 'each' | 'within')[]) =>
    fc.record({ type: fc.constant('written' as const), as: fc.constantFrom(...as) });
  const leaf = fc.record({ type: fc.constantFrom('work' as const, 'suspend' as const, 'loop' as const) });
  const parts = fc.tuple(written('flow', 'each'), fc.array(fc.oneof(leaf, written('flow', 'each', 'within')), { maxLength: 2 }));
  await fc.assert(
    fc.asyncProperty(parts, chosen, async ([first, rest], choices) => {
      const places: Places = [];
      const document = new FlowWriter('test.flow.json', { next: 0 }, places).document('Start', 'End', [first, ...rest]);
      const ofCode = places.filter(({ flow }) => flow.endsWith('.flow.ts'));
      // Code of a file may use built-in tools.
      const { flow, node } = ofCode[0] as Places[number];
      const certain: Breakpoint[] = [
        { id: 'node', kind: 'before', flow, node },
        { id: 'call', kind: 'tool', tool: 'read_file', on: 'before' },
      ];
      const breakpoints = [...certain, ...choices.map((choice, index) => breakpointOf(ofCode, index, choice))].map((breakpoint) =>
        breakpoint.kind === 'tool' ? { ...breakpoint, tool: 'read_file' } : breakpoint,
      );
      const plain = await executorOf(document);
      expect(await drive(plain)).toEqual([]);
      const debugged = await executorOf(document);
      debugged.setBreakpoints(breakpoints);
      const stops = await drive(debugged);
      expect(journalOf(debugged.runId, bySpan)).toEqual(journalOf(plain.runId, bySpan));
      const row = space.journal.row(debugged.runId);
      expect(row.status).toBe('success');
      const recorded = [...recordedStops(space.journal.graphOf(row), new RunReader(space.journal, row), breakpoints)];
      expect(recorded.filter(({ seq }) => seq < row.last_seq).map(({ seq, stop }) => [seq, stop.text])).toEqual(stops);
      const holds = new Holds();
      const holding = await executorOf(document, holds);
      holding.setBreakpoints(breakpoints);
      await drive(holding, holds);
      expect(journalOf(holding.runId, bySpan)).toEqual(journalOf(plain.runId, bySpan));
      expect(stops.length).toBeGreaterThan(0);
      expect(holds.count).toBeGreaterThan(0);
      for (const executor of [plain, debugged, holding]) executor.close();
    }),
    { numRuns: 6 },
  );
}, 600_000);
