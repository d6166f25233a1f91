// npm run bench -- package [--rounds N] [--write]: the packed library, installed into an empty folder, beside XState and LangGraph.js.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import manifest from '#package' with { type: 'json' };
import { filesBelow, Installed } from '#tests/package/installed.ts';
import { figureOf, PeersFolder, runProgram, spread } from './peers-folder.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '15' }, write: { type: 'boolean', default: false } } });
const rounds = Number(values.rounds);
const zod = `zod@${manifest.dependencies.zod}`;

/** A program that imports the package and prints how long that took, in milliseconds. */
const importing = (name: string) => `
const start = performance.now();
await import('${name}');
console.log(performance.now() - start);
`;

/** Programs that make one step of a flow of one node and print the milliseconds since the process started, by `performance.timeOrigin`. */
const firstStep = {
  // With jsonSchema: zod is the program's own, and takes as long to import as all of the rest.
  pravah: `
import { createContext, defineFlow, jsonSchema, state } from 'pravah';
const counted = jsonSchema({ type: 'object', properties: { n: { type: 'number' } }, required: ['n'] });
const A = state('A', counted);
const B = state('B', counted);
const flow = defineFlow({ input: A, output: B }).work(A, B, ({ n }) => ({ n: n + 1 })).build();
await flow.start({ n: 0 }, await createContext()).next();
console.log(performance.now());
`,
  xstate: `
import { assign, createActor, setup } from 'xstate';
const machine = setup({ actions: { add: assign({ n: ({ context }) => context.n + 1 }) } }).createMachine({
  initial: 'a',
  context: { n: 0 },
  states: { a: { on: { go: { target: 'b', actions: 'add' } } }, b: { type: 'final' } },
});
createActor(machine).start().send({ type: 'go' });
console.log(performance.now());
`,
  langgraph: `
import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
const graph = new StateGraph(Annotation.Root({ n: Annotation() }))
  .addNode('a', ({ n }) => ({ n: n + 1 }))
  .addEdge(START, 'a')
  .addEdge('a', END)
  .compile();
await graph.invoke({ n: 0 });
console.log(performance.now());
`,
};

interface Library {
  readonly folder: string;
  readonly module: string;
  readonly program: string;
  /** Bytes; undefined where only the registry has it. */
  readonly tarball?: number;
}

function packagesIn(folder: string): number {
  const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as { packages: Record<string, object> };
  return Object.keys(lock.packages).filter((path) => path !== '').length;
}

function megabytesIn(folder: string): number {
  return filesBelow(join(folder, 'node_modules')).reduce((sum, file) => sum + statSync(file).size, 0) / 1e6;
}

function measured(libraries: Readonly<Record<string, Library>>): string {
  const names = Object.keys(libraries);
  const imports = new Map<string, number[]>(names.map((name) => [name, []]));
  const steps = new Map<string, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (let at = 0; at < names.length; at += 1) {
      const name = names[(at + round) % names.length] ?? '';
      const { folder, module, program } = libraries[name] as Library;
      imports.get(name)?.push(figureOf(runProgram(folder, importing(module))));
      steps.get(name)?.push(figureOf(runProgram(folder, program)));
    }
  }
  const own = steps.get('pravah') ?? [];
  const row = (title: string, cell: (name: string) => string) => `| ${title} | ${names.map(cell).join(' | ')} |`;
  const ratios = (name: string) => own.map((figure, round) => figure / (steps.get(name)?.[round] ?? Number.NaN));
  return [
    `${rounds} rounds, Node ${process.versions.node}, load ${loadavg()[0]?.toFixed(1)} at the end. Medians with ranges; × is pravah to the other, in the same round.`,
    '',
    `| | ${names.join(' | ')} |`,
    `|---|${'---:|'.repeat(names.length)}`,
    row('tarball', (name) => (libraries[name]?.tarball === undefined ? '' : `${Math.round((libraries[name]?.tarball ?? 0) / 1000)} kB`)),
    row('installed', (name) => `${megabytesIn(libraries[name]?.folder ?? '').toFixed(1)} MB`),
    row('packages', (name) => `${packagesIn(libraries[name]?.folder ?? '')}`),
    row('import', (name) => spread(imports.get(name) ?? [], 0, 'ms')),
    row('start of the process to the first step', (name) => spread(steps.get(name) ?? [], 0, 'ms')),
    row('the same, ×', (name) => (name === 'pravah' ? '' : spread(ratios(name), 2, '×'))),
  ].join('\n');
}

using library = new Installed('pravah', [zod]);
using xstate = new PeersFolder(['xstate@5.33.3']);
using langgraph = new PeersFolder(['@langchain/langgraph@1.7.3', '@langchain/core@1.4.0', zod]);
const table = measured({
  pravah: { folder: library.folder, module: 'pravah', program: firstStep.pravah, tarball: library.packedSize },
  xstate: { folder: xstate.path, module: 'xstate', program: firstStep.xstate },
  langgraph: { folder: langgraph.path, module: '@langchain/langgraph', program: firstStep.langgraph },
});
console.log(table);
if (values.write) {
  const page = join(import.meta.dirname, '../docs/benchmarks.md');
  const [before = '', , after = ''] = readFileSync(page, 'utf8').split(/<!-- \/?package -->/);
  writeFileSync(page, `${before}<!-- package -->\n${table}\n<!-- /package -->${after}`);
}
