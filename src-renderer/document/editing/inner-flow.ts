import type { InnerPorts, ReadableFlow } from '#renderer/document/graph/readable-flow.ts';
import { canonicalText } from '#shared/flow/edit/format-flow.ts';
import type { ParsedFlow } from '#shared/flow/parse-flow.ts';
import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '#shared/json.ts';
import { freshState, isOpenSchema, openSchema, stateNames } from './states.ts';

/** Input, output and schemas of the flow that a node runs. */
export interface InnerFlow {
  readonly input: string;
  readonly output: string;
  readonly schemas: JsonObject;
}

/** Input, output and schemas of a flow, or null if it cannot be read. */
export function innerFlowOf({ outline }: Pick<ParsedFlow, 'outline'>): InnerFlow | null {
  const { input, output, schemas = {} } = outline;
  return input === undefined || output === undefined ? null : { input, output, schemas };
}

/** `known` with the states of one more file. */
export function withInnerFlow(known: InnerPorts, file: string, { input, output }: InnerFlow): InnerPorts {
  return { ...known, [file]: { input, output } };
}

/**
 * The schema of a list of items with this schema. Without a specific item schema, the list has none either, so that it
 * stays valid.
 */
export function listSchema(item: Json | undefined): JsonSchema {
  return item === undefined || isOpenSchema(item) ? { type: 'array' } : { type: 'array', items: item };
}

/**
 * The text of a new flow for a node of `flow` to run. Its input and output match what the node is to consume and
 * produce; for an `each` node, they match the list items.
 */
export function newInnerFlowText(
  flow: ReadableFlow,
  name: string,
  forEach: boolean,
  { consumes, produces }: { readonly consumes?: string; readonly produces?: string },
): string {
  const taken = stateNames(flow);
  const isFirst = flow.length === 0;
  const outerInput = consumes ?? (isFirst ? flow.input : undefined);
  const outerOutput = produces ?? (isFirst ? flow.output : undefined);
  const input = forEach ? 'Item' : (outerInput ?? freshState('State', taken));
  const output = forEach ? 'Result' : (outerOutput ?? freshState('Result', taken));
  const schemaFrom = (state: string | undefined): Json => {
    const schema = state === undefined ? undefined : flow.schemas[state];
    return (forEach ? itemsOf(schema) : schema) ?? openSchema;
  };
  const schemas = { [input]: schemaFrom(outerInput), [output]: schemaFrom(outerOutput) };
  return canonicalText({ pravah: 1, name, input, output, schemas, nodes: [{ kind: 'work', from: input, to: output }] }, 'yaml');
}

function itemsOf(schema: Json | undefined): Json | undefined {
  return isJsonObject(schema) ? schema.items : undefined;
}
