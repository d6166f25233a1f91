import type { Compiler } from '#shared/pyflow/compiler.ts';
import type { CompileInner, Region } from './sequential.ts';

interface ParallelRegion extends Region {
  /** The state that the fork consumes. */
  readonly from: string;
  /** The region's name, by which its branches are told apart in what agents hear. Undefined for a wave of a dag. */
  readonly region?: string;
}

/** A `fork` with the agents as branches, and a cascade of joins. A single agent needs neither. */
export function compileParallel(compiler: Compiler, { names, next, origin, from, region }: ParallelRegion, inner: CompileInner): void {
  if (names.length === 1) {
    inner(compiler, names[0] as string, next);
    return;
  }
  const session = { branches: [...names], ...(region !== undefined && { of: region }) };
  compiler.add({ node: { kind: 'fork', from, to: names.map((name) => compiler.entryOf(name)), session }, origin });
  const ends = names.map((name) => {
    const end = compiler.names.takeHelper(`${name}_done`);
    inner(compiler, name, end);
    return end;
  });
  const by = region === undefined ? { by: 'list' as const } : {};
  ends.slice(1).reduce((joined, end, index) => {
    const last = index === ends.length - 2;
    const to = last ? next : compiler.names.takeHelper(`${joined}_and_${names[index + 1]}`);
    const session = last ? { merge: 'last' as const, ...by } : { merge: 'part' as const };
    compiler.add({ node: { kind: 'join', from: [joined, end], to, session }, origin });
    return to;
  }, ends[0] as string);
}
