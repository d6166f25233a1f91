import type { ToolInfo } from '#shared/contract/tools.ts';

const prefix = 'try:';

/**
 * Path of the flow that trying a tool runs; no file has such a name. What the user agrees to is kept under it, so that each tool is asked
 * about once.
 */
export function triedPath(tool: string): string {
  return `${prefix}${tool}.flow.json`;
}

/** Whether a run is that of a tool that was tried, so that no file belongs to it. */
export function isTriedPath(path: string): boolean {
  return path.startsWith(prefix);
}

/** The name of the flow at a path, as people read it: the path, or of a tool that was tried what was done. */
export function flowWords(path: string): string {
  return isTriedPath(path) ? `Try ${path.slice(prefix.length, -'.flow.json'.length)}` : path;
}

/**
 * The flow that trying a tool runs: one node that hands its input on. It is run like any other, so trust, approval, limits and the journal
 * hold for it, and as code makes the call, the tool's own rule about asking does too.
 */
export function triedFlow({ name, input_schema }: Pick<ToolInfo, 'name' | 'input_schema'>): string {
  return JSON.stringify({
    pravah: 1,
    name: `Try ${name}`,
    input: 'Input',
    output: 'Result',
    schemas: { Input: input_schema, Result: {} },
    nodes: [{ kind: 'work', from: 'Input', to: 'Result', run: `(input, ctx) => ctx.tools[${JSON.stringify(name)}](input)`, tools: [name] }],
  });
}
