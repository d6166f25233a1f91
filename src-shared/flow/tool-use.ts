import type { ToolUse } from './document.ts';

/** A parsed tool name. Paths are relative to the workspace. */
export type ToolReference =
  | { readonly type: 'built_in'; readonly name: string }
  /** `tool` is `*` for all tools of the server. */
  | { readonly type: 'mcp'; readonly server: string; readonly tool: string }
  | { readonly type: 'flow'; readonly path: string }
  | { readonly type: 'file'; readonly path: string }
  /** A tool that the project of an imported workflow defines in Python. */
  | { readonly type: 'python'; readonly name: string }
  /** An operation of an API that the folder's settings name; `*` for all of them. */
  | { readonly type: 'openapi'; readonly api: string; readonly operation: string };

/** The tool that ends an agent with tools. The engine adds it, so its name is reserved. */
export const submitTool = 'submit';

/** The tool's name and, where the author wrote one, its approval policy. */
export function toolUse(use: ToolUse): { readonly name: string; readonly approve?: 'always' | 'never' } {
  if (typeof use === 'string') return { name: use };
  return use.approve === undefined ? { name: use.use } : { name: use.use, approve: use.approve };
}

/** Parses a tool's name: `mcp:SERVER/TOOL`, `flow:PATH`, `./tools/NAME.ts`, `py:NAME`, `openapi:API/OPERATION`, or a tool that is built in. */
export function parseToolReference(name: string): ToolReference {
  const mcp = /^mcp:([^/]+)\/(.+)$/s.exec(name);
  if (mcp) return { type: 'mcp', server: mcp[1] as string, tool: mcp[2] as string };
  const openapi = /^openapi:([^/]+)\/(.+)$/s.exec(name);
  if (openapi) return { type: 'openapi', api: openapi[1] as string, operation: openapi[2] as string };
  if (name.startsWith('flow:')) return { type: 'flow', path: name.slice('flow:'.length) };
  if (name.startsWith('py:')) return { type: 'python', name: name.slice('py:'.length) };
  if (name.startsWith('./') || name.startsWith('../')) return { type: 'file', path: name };
  return { type: 'built_in', name };
}
