import type { ToolUse } from '#shared/flow/document.ts';
import { kindFacts } from '#shared/flow/node-kinds.ts';
import type { OutlineNode } from '#shared/flow/outline.ts';
import { toolUse } from '#shared/flow/tool-use.ts';
import type { Json, JsonObject } from '#shared/json.ts';
import { typeOfSchema } from './schema-types.ts';

/**
 * Declarations for the code of a node: its states as types, the parts of `ctx` it can use, and `Body`, the required
 * type of its function.
 */
export function bodyTypes(node: OutlineNode, schemas: JsonObject): string {
  const states = [...new Set([...node.from, ...node.to])].filter((state) => named.test(state));
  const types = states.map((state) => `type ${state} = ${typeOfSchema(schemas[state] ?? true)};`);
  return [contextType(toolsOf(node.raw.tools)), ...types, `type Body = ${bodyType(node, schemas)};`].join('\n');
}

const named = /^[A-Za-z_]\w*$/;

function bodyType({ kind, from, to }: OutlineNode, schemas: JsonObject): string {
  const type = (state: string | undefined) =>
    state === undefined ? 'any' : named.test(state) ? state : typeOfSchema(schemas[state] ?? true);
  const parameters = from.map((state, index) => `${parameterOf(state, index)}: ${type(state)}`);
  const results: Partial<Record<OutlineNode['kind'], string>> = {
    work: type(to[0]),
    join: type(to[0]),
    either: `{ left: ${type(to[0])} } | { right: ${type(to[1])} }`,
    fork: `readonly [${to.map(type).join(', ')}]`,
  };
  const result = results[kind] ?? 'any';
  return `(${[...parameters, 'ctx: Context'].join(', ')}) => ${result === 'any' ? 'any' : `(${result}) | Promise<${result}>`}`;
}

function parameterOf(state: string, index: number): string {
  const name = state.charAt(0).toLowerCase() + state.slice(1);
  return named.test(name) && name !== 'ctx' ? name : `input${index + 1}`;
}

/** The `ctx` that the engine passes to a body. */
function contextType(tools: readonly string[]): string {
  const calls = tools.map((name) => `${JSON.stringify(name)}: (input?: any) => Promise<any>;`);
  return `interface Context {
  /** The node that runs. */
  readonly node: string;
  /** Milliseconds since 1970; constant within a step. */
  now(): number;
  /** A number in [0, 1), from a seed that is on record. */
  random(): number;
  /** Writes a line to the run's output. */
  log(...values: unknown[]): void;
  /** The tools that this node names. */
  readonly tools: { ${calls.join(' ')} };
}`;
}

function toolsOf(tools: Json | undefined): string[] {
  return Array.isArray(tools) ? (tools as readonly ToolUse[]).map((use) => toolUse(use).name) : [];
}

/** The initial code of a new body. */
export function newBody(node: OutlineNode): string {
  const parameters = node.from.map(parameterOf).join(', ');
  return `(${parameters}, ctx) => ${resultOf(node, parameters)}`;
}

/** What the initial code returns. */
function resultOf({ kind, from, to }: OutlineNode, parameters: string): string {
  switch (kindFacts[kind].outputs) {
    case 'branch':
      return `({ left: ${parameters} })`;
    case 'all':
      return `[${to.map(() => parameters).join(', ')}]`;
    case 'one':
      return kindFacts[kind].inputs === 'all'
        ? `({ ${from.map((state, index) => `...${parameterOf(state, index)}`).join(', ')} })`
        : `({ ...${parameters} })`;
  }
}
