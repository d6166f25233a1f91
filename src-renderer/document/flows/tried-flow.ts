import type { ToolInfo } from '#shared/contract/tools.ts';
import { isTriedPath, triedName } from '#shared/flow/tried-path.ts';
import { texts } from './texts.ts';

/** The name of the flow at a path as it is shown: the path, or "Try TOOL". */
export function flowWords(path: string): string {
  return isTriedPath(path) ? texts.triedTool(triedName(path)) : path;
}

/**
 * The flow that runs when a tool is tried: one node that calls it. It runs like any other, so trust, approval, limits and the journal
 * apply, and, as code makes the call, also the tool's own approval rule.
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
