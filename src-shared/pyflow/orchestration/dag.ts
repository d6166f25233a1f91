import type { Compiler } from '#shared/pyflow/compiler.ts';
import type { DagNode } from '#shared/pyflow/workflow.ts';
import { compileParallel } from './parallel.ts';
import type { CompileInner } from './sequential.ts';

/**
 * PyFlow starts all nodes whose predecessors have ended and waits for all of these before it goes on. So a dag is a sequence of waves, each a
 * parallel region in which the order of `nodes` decides.
 */
export function compileDag(compiler: Compiler, nodes: readonly DagNode[], next: string, inner: CompileInner): string {
  const waves = wavesOf(nodes);
  const entries = waves.map((names, index) =>
    names.length === 1 ? compiler.entryOf(names[0] as string) : compiler.names.takeHelper(`wave_${index + 1}`),
  );
  for (const [index, names] of waves.entries()) {
    const from = entries[index] as string;
    compileParallel(compiler, { names, from, next: entries[index + 1] ?? next, origin: ['orchestration', 'nodes'] }, inner);
  }
  return entries[0] as string;
}

/** The nodes by the wave in which they run, in the order of the file. */
export function wavesOf(nodes: readonly DagNode[]): string[][] {
  const done = new Set<string>();
  const waves: string[][] = [];
  let left = nodes;
  while (left.length > 0) {
    const ready = left.filter(({ depends_on }) => depends_on.every((name) => done.has(name)));
    if (ready.length === 0) throw new Error('A dag with a cycle has no waves.');
    left = left.filter((node) => !ready.includes(node));
    for (const { agent } of ready) done.add(agent);
    waves.push(ready.map(({ agent }) => agent));
  }
  return waves;
}
