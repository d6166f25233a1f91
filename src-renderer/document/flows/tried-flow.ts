import type { ToolInfo } from '#shared/contract/tools.ts';
import { texts } from './texts.ts';

const prefix = 'try:';

/**
 * Path of the flow that runs when a tool is tried; no file has such a name. The user's consent is stored under it, so that each tool asks
 * once.
 */
export function triedPath(tool: string): string {
  return `${prefix}${tool}.flow.json`;
}

/** Whether a path belongs to a tool that was tried, and not to a file. */
export function isTriedPath(path: string): boolean {
  return path.startsWith(prefix);
}

/** The name of the flow at a path as it is shown: the path, or "Try TOOL". */
export function flowWords(path: string): string {
  return isTriedPath(path) ? texts.triedTool(path.slice(prefix.length, -'.flow.json'.length)) : path;
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
