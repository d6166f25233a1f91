// A chain of a document's nodes, all with the same body, as a peer of the harness has it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createContext, FlowRuntime, loadDocument } from 'pravah-studio/runtime';
import { initial } from '../lib/common.mjs';

const count = { type: 'object', properties: { i: { type: 'number' } }, required: ['i'] };

/** @param {Readonly<Record<string, string>>} body what adds one to `i` */
export const documentChain = (body) => async (n, bytes) => {
  const names = Array.from({ length: n + 1 }, (_, k) => `S${k}`);
  const nodes = names.slice(1).map((to, k) => ({ kind: 'work', from: names[k], to, ...body }));
  const schemas = Object.fromEntries(names.map((name) => [name, count]));
  const graph = await built({ pravah: 1, name: 'chain', input: 'S0', output: `S${n}`, schemas, nodes, limits: { steps: n } });
  const ctx = await createContext();
  const run = async () => {
    const flow = FlowRuntime.new(graph, initial(bytes));
    for (let step = await flow.next(ctx); ; step = await flow.next(ctx)) if (step.type === 'done') return step.output;
  };
  return { run };
};

async function built(document) {
  const folder = mkdtempSync(join(tmpdir(), 'pravah-bench-'));
  const file = join(folder, 'chain.flow.json');
  writeFileSync(file, JSON.stringify(document));
  const { graph, problems } = await loadDocument(file);
  rmSync(folder, { recursive: true });
  if (!graph) throw new Error(problems[0]?.message);
  return graph;
}
