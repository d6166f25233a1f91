import { appendFileSync, writeSync } from 'node:fs';
import type { Tool } from '#main/engine/ports/tool.ts';
import { Journal } from '#main/journal/journal.ts';
import { RunExecutor } from '#main/runner/run-executor.ts';
import { createContext } from '#main/workspace/create-context.ts';
import { loadFlowText } from '#main/workspace/flow-loader.ts';
import { defaultSettings } from '#main/workspace/settings.ts';
import type { Breakpoint } from '#shared/contract/breakpoint.ts';
import type { Json } from '#shared/json.ts';
import type { Stop } from '#shared/run/stop.ts';

/** What a process that is killed while it holds its run is told. */
export interface HeldPlan {
  readonly folder: string;
  readonly journal_path: string;
  /** Whether the run is held before its calls and requests, or after them and after nodes, in flows that run within one step. */
  readonly when: 'before' | 'after';
  /** The run to continue; null starts one. */
  readonly run_id: string | null;
  /** The hold at which it waits to be killed. Earlier ones are continued at once. */
  readonly stays: number;
}

/**
 * Drives a run with breakpoints that hold it before or after calls, and waits in one of them to be killed: `node held-process.ts PLAN`. Prints the
 * run's id, and a line for the hold in which it waits or for the run's end.
 */
const plan = JSON.parse(process.argv[2] ?? '') as HeldPlan;
const said = (line: Json): void => void writeSync(1, `${JSON.stringify(line)}\n`);

/** Writes down each call at once. */
const witness: Tool = {
  name: 'witness',
  description: 'Writes a line.',
  input_schema: { type: 'object', properties: { what: { type: 'string' }, fails: { type: 'boolean' } }, required: ['what'] },
  effect: 'write',
  approve: 'never',
  call: ({ what, fails }) => {
    appendFileSync(`${plan.folder}/log.txt`, `${what}\n`);
    if (fails) throw new Error('It failed.');
    return String(what);
  },
};
const body = (name: string) =>
  `async (value, ctx) => [await ctx.tools.witness({ what: '${name} 1' }), await ctx.tools.witness({ what: '${name} 2' })].length`;
const tools = [{ use: 'witness', approve: 'never' }];
const names = plan.when === 'before' ? ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I'] : ['A', 'B', 'C', 'D', 'E'];
const nodes = names.map((from, at): Json => {
  const to = names[at + 1] ?? 'Z';
  if (plan.when === 'after') return { kind: 'work', from, to, tool: 'flow:./called.flow.json', with: { name: from } };
  if (from !== 'E') return { kind: 'work', from, to, run: body(from), tools };
  return { kind: 'agent', from, to, agent: { mode: 'chat', model: 'openai://witness', tools: ['flow:./inner.flow.json'] } };
});
const document = {
  pravah: 1,
  name: 'Held',
  input: 'A',
  output: 'Z',
  schemas: Object.fromEntries([...names, 'Z'].map((name) => [name, {}])),
  nodes,
};

const context = await createContext({
  folder: plan.folder,
  tools: [witness],
  consented: true,
  trusted: false,
  settings: defaultSettings,
  models: () => ({
    complete: async ({ messages }) => {
      appendFileSync(`${plan.folder}/log.txt`, `model ${messages.length}\n`);
      const text = { type: 'text', text: 'done' } as const;
      const call = { type: 'tool_call', tool_call_id: '', tool: 'flow:./inner.flow.json', input: {} } as const;
      const content = messages.length > 1 ? [text] : [call];
      return { message: { role: 'assistant', content }, finish_reason: 'stop', usage: { tokens_in: 0, tokens_out: 0 } };
    },
  }),
});
const called = 'called.flow.json';
const breakpoints: Breakpoint[] =
  plan.when === 'before'
    ? [
        { id: 'b1', kind: 'tool', tool: 'witness', on: 'before' },
        { id: 'b2', kind: 'model', on: 'before' },
      ]
    : [
        { id: 'b1', kind: 'tool', tool: 'witness', on: 'after', condition: '!call.input.fails' },
        { id: 'b2', kind: 'tool', tool: 'witness', on: 'error' },
        { id: 'b3', kind: 'after', flow: called, node: 'In' },
        { id: 'b4', kind: 'after', flow: called, node: 'Mid' },
      ];
let holds = 0;
const options = {
  journal: Journal.open(plan.journal_path),
  context,
  token: `held ${process.pid}`,
  breakpoints,
  onHold: (stop: Stop | null) => {
    if (!stop) return;
    holds += 1;
    if (holds === plan.stays) said({ type: 'held', at: stop.text });
    else setImmediate(() => executor.continueHeld('continue'));
  },
};
const executor = plan.run_id === null ? start() : RunExecutor.open(options, plan.run_id);
said({ type: 'run', run_id: executor.runId });
const { status } = await executor.continue();
said({ type: 'ended', status });
process.exit(0);

function start(): RunExecutor {
  const flow_text = JSON.stringify(document);
  const built = loadFlowText(flow_text, 'held.flow.json', {
    folder: plan.folder,
    trusted: false,
    settings: defaultSettings,
    tools: ['witness'],
  });
  if (!built.graph) throw new Error(JSON.stringify(built.problems));
  return RunExecutor.start(options, { graph: built.graph, flow_path: 'held.flow.json', flow_text, input: {} });
}
