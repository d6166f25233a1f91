import type { ReadableFlow } from '#renderer/graph/readable-flow.ts';
import { schemaNamePattern } from '#shared/flow/schema-name.ts';
import { isJsonObject, type Json, type JsonSchema } from '#shared/json.ts';

/** Schema of a state that nobody has described yet. */
export const openSchema: JsonSchema = { type: 'object' };

/** True for a schema that still says nothing in particular, so that it may be dropped with its last user. */
export function isOpenSchema(schema: Json | undefined): boolean {
  if (schema === true) return true;
  return isJsonObject(schema) && Object.keys(schema).every((key) => key === 'type') && (schema.type ?? 'object') === 'object';
}

/** Every state name of the document: of its schemas, nodes, entry and result. */
export function stateNames(flow: ReadableFlow): Set<string> {
  const names = new Set([...Object.keys(flow.schemas), flow.input, flow.output]);
  for (const node of flow.nodes) for (const state of [...node.from, ...node.to]) names.add(state);
  return names;
}

/** A name that no state has yet: `base`, else `base2`, `base3`, … Names in `taken` count too and the new one is added to them. */
export function freshState(base: string, taken: Set<string>): string {
  let name = base;
  for (let number = 2; taken.has(name); number += 1) name = `${base}${number}`;
  taken.add(name);
  return name;
}

/** Why this cannot be a state's name, or null when it can. */
export function whyNotAStateName(name: string): string | null {
  if (name === '') return 'A state needs a name.';
  if (!schemaNamePattern.test(name)) return 'Use letters, digits and _, and do not begin with a digit.';
  return null;
}

/** How often nodes, entry and result mention a state. */
export function mentions(flow: ReadableFlow, state: string): number {
  let count = Number(flow.input === state) + Number(flow.output === state);
  for (const node of flow.nodes) {
    count += [...node.from, ...node.to].filter((name) => name === state).length;
  }
  return count;
}
