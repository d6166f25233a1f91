import { isJsonObject, type Json, type JsonObject } from '#shared/json.ts';
import type { OutlineNode } from './outline.ts';
import { folderOf, resolveWorkspacePath } from './workspace-path.ts';

/** A node to run alone. */
export interface SingleNode {
  readonly node: OutlineNode;
  /** Its flow's file, relative to the workspace. Files that the node names are relative to it. */
  readonly path: string;
  readonly schemas: JsonObject;
  /** The states that a nested flow begins and ends with; its node names none. */
  readonly states?: { readonly from: readonly string[]; readonly to: readonly string[] };
}

const output = 'TriedOutput';
const input = 'TriedInput';

/**
 * Returns the flow of one node, for a path in the workspace's own folder: it begins with what the node consumes (of a join an object with both states) and
 * ends with what it produces (with several outputs, an object with the states that it produced). Tools that write ask before each call.
 */
export function singleNodeFlow({ node, path, schemas, states }: SingleNode): JsonObject {
  const [from, to] = [states?.from ?? node.from, states?.to ?? node.to];
  const raw = withFiles(node.raw, folderOf(path));
  const before =
    from.length > 1
      ? [{ kind: 'fork', from: input, to: from, run: `(input) => [${from.map((name) => `input[${quoted(name)}]`).join(', ')}]` }]
      : [];
  const used = Object.fromEntries([...from, ...to].map((name) => [name, schemas[name] ?? true]));
  const after = to.length > 1 ? (node.kind === 'either' ? eachBranch(to) : allBranches(to)) : [];
  const added = [...before, ...after].flatMap((each) => [each.from, each.to].flat() as string[]);
  return {
    pravah: 1,
    name: `Try ${String(raw.title ?? node.id)}`,
    input: from.length > 1 ? input : (from[0] ?? ''),
    output: to.length > 1 ? output : (to[0] ?? ''),
    schemas: {
      ...Object.fromEntries(added.map((name) => [name, name === input ? inputSchema(from, used) : true])),
      ...used,
      ...definitions(schemas, used),
    },
    nodes: [...before, raw, ...after],
  };
}

/** Schemas may refer to others of their flow. */
function definitions(schemas: JsonObject, used: JsonObject): JsonObject {
  const names = Object.keys(schemas).filter((name) => !Object.hasOwn(used, name) && JSON.stringify(used).includes(`/${name}"`));
  return Object.fromEntries(names.map((name) => [name, schemas[name] as Json]));
}

function inputSchema(from: readonly string[], used: JsonObject): JsonObject {
  return { type: 'object', properties: Object.fromEntries(from.map((name) => [name, used[name] as Json])), required: [...from] };
}

function eachBranch(to: readonly string[]): JsonObject[] {
  return to.map((name) => ({ kind: 'work', from: name, to: output, run: `(value) => ({ ${quoted(name)}: value })` }));
}

function allBranches([first = '', ...others]: readonly string[]): JsonObject[] {
  return others.map((name, index) => ({
    kind: 'join',
    from: [index === 0 ? first : `${output}${index}`, name],
    to: index === others.length - 1 ? output : `${output}${index + 1}`,
    run:
      index === 0
        ? `(one, other) => ({ ${quoted(first)}: one, ${quoted(name)}: other })`
        : `(all, other) => ({ ...all, ${quoted(name)}: other })`,
  }));
}

function quoted(name: string): string {
  return JSON.stringify(name);
}

/** The node with its files named from the workspace's folder, and with tools that ask. */
function withFiles(raw: JsonObject, folder: string): JsonObject {
  const placed = (file: Json | undefined): Json | undefined => {
    const resolved = typeof file === 'string' ? resolveWorkspacePath(folder, file) : null;
    return resolved === null ? file : `./${resolved}`;
  };
  const tool = (use: Json): Json => {
    const name = isJsonObject(use) ? use.use : use;
    const placedName = typeof name === 'string' && name.startsWith('flow:') ? `flow:${String(placed(name.slice(5)))}` : (name ?? null);
    return { use: placedName, approve: 'always' };
  };
  const tools = (list: Json | undefined): Json | undefined => (Array.isArray(list) ? (list as readonly Json[]).map(tool) : list);
  const files = Object.fromEntries(
    ['flow', 'run_file', 'module'].flatMap((key) => (raw[key] === undefined ? [] : [[key, placed(raw[key]) as Json]])),
  );
  return {
    ...raw,
    ...files,
    ...(raw.tools !== undefined && { tools: tools(raw.tools) as Json }),
    ...(isJsonObject(raw.agent) && raw.agent.tools !== undefined && { agent: { ...raw.agent, tools: tools(raw.agent.tools) as Json } }),
  };
}
