// node bench/workflows.ts [ROUNDS]: what imported workflows cost: importing 200 agents, expr agents in a chain, calls of code agents.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import type { RunContext } from '#main/engine/step/run-context.ts';
import { quietContext } from '#main/engine/testing/flows.ts';
import { goOn } from '#main/engine/testing/run-to-end.ts';
import { startPython } from '#main/python/start-python.ts';
import { importWorkflow } from '#main/workspace/import-workflow.ts';
import { loadWorkflow } from '#main/workspace/load-workflow.ts';
import { loadSettings } from '#main/workspace/settings.ts';
import type { Json } from '#shared/json.ts';

const rounds = Number(process.argv[2] ?? 7);
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pravah-bench-workflows-')));
const settings = await loadSettings(folder);

/** Agents one after the other. */
function chain(count: number, agent: (index: number) => object): string {
  const agents = Array.from({ length: count }, (_, index) => ({ name: `a${index}`, ...agent(index) }));
  return JSON.stringify({ name: 'w', agents, orchestration: { type: 'sequential', agents: agents.map(({ name }) => name) } }, null, 1);
}

function expr(key: (index: number) => string): (index: number) => object {
  return (index) => ({ type: 'expr', expression: '(n or 0) + 1', input_keys: ['n'], output_key: key(index) });
}

/** Milliseconds of processor time of this thread, and by the clock. */
async function timeOf(work: () => unknown): Promise<{ readonly cpu: number; readonly clock: number }> {
  const [before, start] = [process.threadCpuUsage(), performance.now()];
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return { cpu: (user + system) / 1000, clock: performance.now() - start };
}

async function median(work: () => Promise<number>): Promise<number> {
  const figures: number[] = [];
  for (let round = 0; round < rounds; round += 1) figures.push(await work());
  return figures.sort((one, other) => one - other)[Math.floor(rounds / 2)] ?? Number.NaN;
}

function report(title: string, figure: number, unit: string): void {
  console.log(`${Math.round(figure).toLocaleString('en').padStart(10)} ${unit.padEnd(10)} ${title}`);
}

async function stepsPerSecond(
  title: string,
  text: string,
  count: number,
  unit: string,
  context: Partial<RunContext> = {},
): Promise<number> {
  const { graph, problems } = loadWorkflow(text, 'workflow.yaml', { folder, settings, trusted: true });
  if (!graph) throw new Error(problems.map(({ message }) => message).join(' '));
  const figure = await median(async () => {
    const { cpu, clock } = await timeOf(() => goOn(FlowRuntime.new(graph, {} as Json), quietContext({ working_dir: folder, ...context })));
    return (count / (context.python ? clock : cpu)) * 1000;
  });
  report(title, figure, unit);
  return figure;
}

try {
  const file = join(folder, 'workflow.yaml');
  const agents = chain(200, (index) => ({ ...expr((at) => `k${at % 20}`)(index), description: `Adds one, the ${index}th time.` }));
  writeFileSync(file, stringify(JSON.parse(agents)));
  const out = join(folder, 'w.flow.yaml');
  let first = Number.NaN;
  const importing = await median(async () => {
    rmSync(out, { force: true });
    const { cpu } = await timeOf(() => importWorkflow(file, { folder, settings, unattended: false, update: false, out }));
    if (Number.isNaN(first)) first = cpu;
    return cpu;
  });
  report('import of 200 agents, first in the process', first, 'ms');
  report('import of 200 agents', importing, 'ms');
  const oneKey = await stepsPerSecond(
    '1,000 expr agents that write one key',
    chain(
      1000,
      expr(() => 'n'),
    ),
    1002,
    'steps/s',
  );
  const keyEach = await stepsPerSecond(
    '1,000 expr agents with a key each',
    chain(
      1000,
      expr((index) => `k${index}`),
    ),
    1002,
    'steps/s',
  );
  console.log(`${(keyEach / oneKey).toFixed(2).padStart(10)} ×          a key each, to one key (goal 0.25)`);
  mkdirSync(join(folder, 'shop'));
  writeFileSync(join(folder, 'shop/prices.py'), 'def add(n):\n    return (n or 0) + 1\n');
  const python = startPython({ folder });
  try {
    const { clock } = await timeOf(() =>
      python.call(
        { kind: 'code', name: 'shop.prices.add', kwargs: { value: { n: 1 }, floats: [] }, flow: 'w' },
        {
          signal: new AbortController().signal,
          log: () => undefined,
        },
      ),
    );
    report('first answer of Python', clock, 'ms');
    const code = chain(1000, () => ({ type: 'code', function: 'shop.prices.add', input_keys: ['n'], output_key: 'n' }));
    await stepsPerSecond('1,000 code agents, by the clock', code, 1000, 'calls/s', { python });
  } finally {
    python.close();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
