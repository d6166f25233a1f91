import type { Compiler } from '#shared/pyflow/compiler.ts';

/** Some agents that run together, and where their run leads. */
export interface Region {
  readonly names: readonly string[];
  readonly next: string;
  /** Segments of a JSON Pointer into the workflow. */
  readonly origin: readonly (string | number)[];
}

/** Compiles one agent of a region. Handed in, because an agent may be a region itself. */
export type CompileInner = (compiler: Compiler, name: string, next: string) => void;

/** One agent after the other. */
export function compileSequential(compiler: Compiler, { names, next }: Region, inner: CompileInner): void {
  for (const [index, name] of names.entries()) {
    const after = names[index + 1];
    inner(compiler, name, after === undefined ? next : compiler.entryOf(after));
  }
}
