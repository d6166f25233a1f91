// node bench/breakpoints.ts [ROUNDS]: what breakpoints and pins cost that a run does not meet. A chain of 10,000 `expr` nodes is driven and recorded without
// any, with 1,000 breakpoints and with 1,000 pins at nodes of a branch that is never taken, and by a driver that can hold, in turns; figures are processor time of the thread, so that other programs count little.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Journal } from '#main/journal/journal.ts';
import { createModelClients } from '#main/models/registry/model-clients.ts';
import { RunExecutor } from '#main/runner/run-executor.ts';
import { createContext } from '#main/workspace/create-context.ts';
import { loadFlowText } from '#main/workspace/flow-loader.ts';
import { defaultSettings } from '#main/workspace/settings.ts';
import type { Breakpoint } from '#shared/contract/breakpoint.ts';
import type { Supplied } from '#shared/contract/supplied.ts';

const LENGTH = 10_000;
const ELSEWHERE = 1000;
const path = 'chain.flow.json';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pravah-bench-')));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const chain = (name: string, length: number) =>
  Array.from({ length }, (_, index) => ({
    kind: 'work',
    from: `${name}${index}`,
    to: index === length - 1 ? 'End' : `${name}${index + 1}`,
    expr: '{n: n + 1}',
  }));
const nodes = [{ kind: 'either', from: 'Start', to: ['S0', 'T0'], expr: 'true' }, ...chain('S', LENGTH), ...chain('T', ELSEWHERE)];
const schemas = Object.fromEntries(['End', ...nodes.map(({ from }) => from)].map((name) => [name, {}]));
const flow_text = JSON.stringify({
  pravah: 1,
  name: 'Chain',
  input: 'Start',
  output: 'End',
  schemas,
  nodes,
  limits: { steps: 2 * LENGTH, seconds: 600 },
});
const { graph, problems } = loadFlowText(flow_text, path, { folder, trusted: false, settings: defaultSettings });
if (!graph) throw new Error(JSON.stringify(problems[0]));
const context = await createContext({
  folder,
  consented: true,
  trusted: false,
  settings: defaultSettings,
  models: createModelClients({ folder }),
});
const elsewhere = Array.from(
  { length: ELSEWHERE },
  (_, index): Breakpoint => ({ id: `b${index}`, kind: 'before', flow: path, node: `T${index}` }),
);

const pinned = Array.from(
  { length: ELSEWHERE },
  (_, index): Supplied => ({ id: `p${index}`, kind: 'pin', flow: path, node: `T${index}`, value: null }),
);

/** Microseconds of processor time a step. */
async function sample(breakpoints: readonly Breakpoint[], supplied: readonly Supplied[] = [], holds = false): Promise<number> {
  if (!graph) return Number.NaN;
  const journal = Journal.open(':memory:');
  const executor = RunExecutor.start(
    { journal, context, token: 'bench', breakpoints, supplied, ...(holds && { onHold: () => undefined }) },
    { graph, flow_path: path, flow_text, input: { n: 0 } },
  );
  const before = process.threadCpuUsage();
  const { status } = await executor.continue();
  const { user, system } = process.threadCpuUsage(before);
  if (status !== 'success') throw new Error(`The run ended with ${status}.`);
  executor.close();
  journal.close();
  return (user + system) / LENGTH;
}

const rounds = Number(process.argv[2] ?? 15);
const [none, with1000, again, pins, held]: [number[], number[], number[], number[], number[]] = [[], [], [], [], []];
for (let round = 0; round < rounds + 2; round += 1) {
  const times = [
    await sample([]),
    await sample(elsewhere),
    await sample([]),
    await sample([], pinned),
    await sample([], [], true),
  ] as const;
  // The first rounds warm up.
  if (round < 2) continue;
  for (const [at, list] of [none, with1000, again, pins, held].entries()) list.push(times[at] ?? Number.NaN);
}
const middle = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
const ratio = (values: readonly number[]) => values.map((time, round) => time / ((none[round] ?? 1) / 2 + (again[round] ?? 1) / 2));
const range = (values: readonly number[]) =>
  `${middle(values).toFixed(3)} (${Math.min(...values).toFixed(3)} to ${Math.max(...values).toFixed(3)})`;
console.log(`${middle(none).toFixed(1)} µs a step without breakpoints; with 1,000 elsewhere ${range(ratio(with1000))} times that`);
console.log(`without, against its own neighbour in the same round: ${range(none.map((time, round) => time / (again[round] ?? 1)))}`);
console.log(`with 1,000 pins elsewhere ${range(ratio(pins))} times that`);
console.log(`by a driver that can hold ${range(ratio(held))} times that`);
