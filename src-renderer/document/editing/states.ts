import type { ReadableFlow } from '#renderer/document/graph/readable-flow.ts';
import { schemaNamePattern } from '#shared/flow/schema-name.ts';
import { isJsonObject, type Json, type JsonSchema } from '#shared/json.ts';
import { texts } from './texts.ts';

/** Schema of a state without a specific schema. */
export const openSchema: JsonSchema = { type: 'object' };

/** True for a schema without specific constraints, which is removed with its last use. */
export function isOpenSchema(schema: Json | undefined): boolean {
  if (schema === true) return true;
  return isJsonObject(schema) && Object.keys(schema).every((key) => key === 'type') && (schema.type ?? 'object') === 'object';
}

/** All state names of the document: of schemas, nodes, flow input and output. */
export function stateNames(flow: ReadableFlow): Set<string> {
  const names = new Set([...Object.keys(flow.schemas), flow.input, flow.output]);
  for (const node of flow.nodes) for (const state of [...node.from, ...node.to]) names.add(state);
  return names;
}

/** An unused state name: `base`, `base2`, `base3`, … Adds it to `taken`. */
export function freshState(base: string, taken: Set<string>): string {
  let name = base;
  for (let number = 2; taken.has(name); number += 1) name = `${base}${number}`;
  taken.add(name);
  return name;
}

/** Why this is not a valid state name, or null if it is. */
export function whyNotAStateName(name: string): string | null {
  if (name === '') return texts.rename.empty;
  if (!schemaNamePattern.test(name)) return texts.rename.invalid;
  return null;
}

/** How often nodes, flow input and output refer to a state. */
export function mentions(flow: ReadableFlow, state: string): number {
  let count = Number(flow.input === state) + Number(flow.output === state);
  for (const node of flow.nodes) {
    count += [...node.from, ...node.to].filter((name) => name === state).length;
  }
  return count;
}
