import { type Compiler, mayExit } from '#shared/pyflow/compiler.ts';
import type { CompileInner, Region } from './sequential.ts';

interface LoopRegion extends Region {
  readonly loop: string;
  /** Null or 0: no limit. */
  readonly max: number | null;
}

/** The agents, then an `either` that goes round; after each agent that may call `exit_loop`, an `either` that leaves. */
export function compileLoop(compiler: Compiler, { names, next, origin, loop, max }: LoopRegion, inner: CompileInner): void {
  const first = compiler.entryOf(names[0] as string);
  const again = compiler.names.takeHelper(`${loop}_again`);
  const outer = compiler.loops;
  compiler.loops = [loop, ...outer];
  const exits = names.filter((name) => mayExit(compiler, name));
  if (!max && exits.length === 0) {
    const message = `The loop "${loop}" never ends: it has no "max_iterations", and no agent in it can call exit_loop.`;
    compiler.report('endless_loop', origin, message, 'warning');
  }
  for (const [index, name] of names.entries()) {
    const after = names[index + 1];
    if (after === undefined) inner(compiler, name, again);
    else if (!exits.includes(name)) inner(compiler, name, compiler.entryOf(after));
    else {
      const leaves = compiler.names.takeHelper(`${name}_leaves`);
      inner(compiler, name, leaves);
      const session = { leave: loop, check: 'escalated' as const };
      compiler.add({ node: { kind: 'either', from: leaves, to: [next, compiler.entryOf(after)], session }, origin });
    }
  }
  const session = { leave: loop, ...(max && { max }), check: 'round' as const };
  compiler.add({ node: { kind: 'either', from: again, to: [next, first], session }, origin });
  compiler.loops = outer;
}
