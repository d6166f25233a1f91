import { seededRandom } from '#main/engine/bodies/seeded-random.ts';
import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import type { ModelClients } from '#main/engine/ports/model-client.ts';
import type { FlowGraph, GraphNode } from '#shared/flow/graph.ts';
import type { Parallel } from '#shared/flow/parallel.ts';
import type { Json } from '#shared/json.ts';
import { FlowError, ToolError } from '#shared/run/error.ts';
import { MemoryRecorder } from './memory-recorder.ts';
import { agentScript, callScript, soundFlow } from './random-flow.ts';
import type { TestWorkspace } from './workspace.ts';

/** The graph with lists whose items run three at once, in the flows that it calls, too. */
function inParallel(graph: FlowGraph): FlowGraph {
  const nodes = graph.nodes.map((node): GraphNode => {
    const { body } = node;
    return body.type === 'each' ? { ...node, body: { ...body, flow: inParallel(body.flow), parallel: 3 } } : node;
  });
  const tools = Object.entries(graph.flow_tools ?? {}).map(([name, flow]) => [name, inParallel(flow)]);
  return { ...graph, nodes, ...(graph.flow_tools && { flow_tools: Object.fromEntries(tools) }) };
}

/** What a run has recorded (events by their text: those of concurrent calls of one step have no order) and ended with, and how many model calls were in progress at once. */
interface DrivenAhead {
  readonly records: Json;
  readonly ended: Json;
  readonly most: number;
}

/** Drives the random flow of a seed, with random delays and failures of its models, answering every question. */
async function driveAhead(seed: number, space: TestWorkspace, parallel: Parallel): Promise<DrivenAhead> {
  const graph = { ...inParallel(soundFlow(seed)), parallel };
  const recorder = new MemoryRecorder();
  const runtime = FlowRuntime.new<unknown>(graph, { n: seed % 6, path: [] }, { run_id: 'run', recorder });
  const models = new SlowModels(seed, space.context.models);
  const ctx = { ...space.context, models: models.clients };
  const ended: Json[] = [];
  try {
    for (let answered = 0; answered < 40; answered += 1) {
      const outcome = await runtime.toEnd(ctx);
      ended.push(outcome as unknown as Json);
      if (outcome.type !== 'suspend') break;
      const shows = typeof outcome.value === 'object' && outcome.value !== null && 'n' in outcome.value;
      const payload = shows ? { n: 7, path: ['answered'] } : `answer to ${outcome.tool_call_id}`;
      await runtime.resume(ctx, outcome.tool_id, payload, { tool_call_id: outcome.tool_call_id });
    }
  } catch (error) {
    if (!(error instanceof FlowError || error instanceof ToolError)) throw error;
    ended.push({ failure: error.variant, message: error.message });
  }
  const rest = { ended, snapshot: runtime.snapshot(), history: runtime.history() };
  const records = recorder.records.map((record) => ({ ...record, events: record.events.map((event) => JSON.stringify(event)).sort() }));
  return { records: asJson(records), ended: asJson(rest), most: models.most };
}

function asJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}

/** Models whose calls take random turns of the event loop, and of which some fail: for a node's n-th call always the same. */
class SlowModels {
  most = 0;
  #now = 0;
  readonly #seed: number;
  readonly #inner: ModelClients;
  readonly #delay: () => number;
  readonly #calls = new Map<string, number>();

  constructor(seed: number, inner: ModelClients) {
    this.#seed = seed;
    this.#inner = inner;
    this.#delay = seededRandom(Math.floor(Math.random() * 1e9));
  }

  readonly clients: ModelClients = async (url) => {
    const inner = await this.#inner(url);
    return {
      complete: async (request) => {
        const node = request.node ?? '';
        const count = (this.#calls.get(node) ?? 0) + 1;
        this.#calls.set(node, count);
        this.#now += 1;
        this.most = Math.max(this.most, this.#now);
        try {
          for (let turn = Math.floor(this.#delay() * 8); turn >= 0; turn -= 1) await new Promise(setImmediate);
          const luck = [...`${this.#seed} ${node} ${count}`].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1009, 7);
          if (luck < 25) throw new FlowError('AgentError', `The model of ${node} fails.`, { code: 'INFERENCE_FAILED' });
          return await inner.complete(request);
        } finally {
          this.#now -= 1;
        }
      },
    };
  };
}

/** Drives random flows without lanes, and with two and eight nodes at once, and calls back with both results. Returns how many model calls overlapped. */
export async function compareAhead(
  space: TestWorkspace,
  { first, count }: { readonly first: number; readonly count: number },
  compare: (driven: Json, alone: Json) => void,
): Promise<number> {
  space.write('script.json', JSON.stringify(agentScript));
  space.write('calls.json', JSON.stringify(callScript));
  let most = 0;
  for (let flow = first; flow < first + count; flow += 1) {
    const seed = 1 + flow * 7919;
    const alone = await driveAhead(seed, space, { ahead: 1, effects: 'model' });
    for (const ahead of [2, 8]) {
      const effects = flow % 2 === 0 ? 'model' : 'all';
      const driven = await driveAhead(seed, space, { ahead, effects });
      const named = { seed, ahead, effects };
      compare({ ...named, records: driven.records, ended: driven.ended }, { ...named, records: alone.records, ended: alone.ended });
      most = Math.max(most, driven.most);
    }
  }
  return most;
}
