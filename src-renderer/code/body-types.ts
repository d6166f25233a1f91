import { nodeKinds } from '#shared/flow/document.ts';
import type { OutlineNode } from '#shared/flow/outline.ts';
import type { JsonObject } from '#shared/json.ts';
import { typeOfSchema } from './schema-types.ts';

/** What a body may use besides its arguments: `ctx`. */
const contextType = `
/** What the engine lends to a body. */
interface PravahContext {
  /** Milliseconds since 1970; constant within a step. */
  now(): number;
  /** Writes a line to the run's output. */
  log(...values: unknown[]): void;
  /** The tools that this node names. */
  readonly tools: Readonly<Record<string, (input?: any) => Promise<any>>>;
  readonly [key: string]: any;
}
`;

/** Declarations for the code of a node: its states as types, and the type that its function must have. */
export function bodyTypes(node: OutlineNode, schemas: JsonObject): string {
  if (!nodeKinds.includes(node.kind)) return contextType;
  const states = [...new Set([...node.from, ...node.to])].filter((state) => /^\w+$/.test(state));
  const types = states.map((state) => `type ${state} = ${typeOfSchema(schemas[state] ?? true)};`);
  return [contextType, ...types].join('\n');
}

/** The first line that a new body begins with. */
export function newBody(node: OutlineNode): string {
  const parameters = node.from.map((state) => state.charAt(0).toLowerCase() + state.slice(1)).join(', ');
  const result = {
    either: `({ left: ${parameters} })`,
    fork: `[${node.to.map(() => parameters).join(', ')}]`,
    join: `({ ${node.from.map((state) => `...${state.charAt(0).toLowerCase()}${state.slice(1)}`).join(', ')} })`,
  }[node.kind as 'either' | 'fork' | 'join'];
  return `(${parameters}, ctx) => ${result ?? `({ ...${parameters} })`}`;
}
