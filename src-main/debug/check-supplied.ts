import { compileSchema } from '#main/engine/values/schema-validator.ts';
import type { Mock, Pin, Supplied } from '#shared/contract/supplied.ts';
import type { FlowGraph, GraphNode } from '#shared/flow/graph.ts';
import { schemasAgree } from '#shared/flow/schema-agreement.ts';
import { isJsonObject, type Json, type JsonSchema, toJson } from '#shared/json.ts';
import { FlowError } from '#shared/run/error.ts';
import { readyMock } from './mock-rules.ts';
import { everyGraph, fileKey, fileNodes, type PinPlace, pinPlace } from './pin-places.ts';

/** Why a pin or mock can't be used as it is. `path`: JSON Pointer into it. */
export interface SuppliedFault {
  readonly id: string;
  readonly path: string;
  readonly message: string;
}

/** Returns the schema of a tool's result; undefined if the tool is unknown here or promises nothing. */
export type OutputSchemaOf = (tool: string) => JsonSchema | undefined;

/** Checks pins against the schemas of a flow, and mocks against those of the tools. Pins of nodes that the flow doesn't contain are not judged. */
export function suppliedFaults(graph: FlowGraph | null, supplied: readonly Supplied[], outputSchemaOf: OutputSchemaOf): SuppliedFault[] {
  return supplied.flatMap((each) => (each.kind === 'pin' ? (graph ? pinFaults(graph, each) : []) : mockFaults(each, outputSchemaOf)));
}

/** Throws `FlowError` `Invalid` for the first fault, with its path. */
export function assertSupplied(faults: readonly SuppliedFault[]): void {
  const [first] = faults;
  if (first) throw new FlowError('Invalid', first.message, { details: { id: first.id, path: first.path } });
}

function pinFaults(graph: FlowGraph, pin: Pin): SuppliedFault[] {
  const faults: SuppliedFault[] = [];
  everyGraph(graph, (each) => {
    for (const found of fileNodes(each).get(fileKey(pin.flow, pin.node)) ?? []) {
      const place = pinPlace(found);
      if (place) faults.push(...placeFaults(each, place, pin));
      else
        faults.push({
          id: pin.id,
          path: '/node',
          message: `${pin.node} can't be pinned: a join takes its input together with another state. Pin a node inside it.`,
        });
    }
  });
  return faults;
}

function placeFaults(graph: FlowGraph, { node, outputs }: PinPlace, pin: Pin): SuppliedFault[] {
  const fault = (path: string, message: string): SuppliedFault[] => [{ id: pin.id, path, message }];
  const schemaOf = (state: string): JsonSchema => graph.schemas[state] ?? true;
  if (pin.disabled) return disabledFaults(node, outputs, pin, schemaOf);
  const names = [...outputs];
  const value = pin.value as Json;
  if (names.length === 1) return names.flatMap(([own, state]) => valueFaults(pin, own, schemaOf(state), value, '/value'));
  if (node.kind === 'fork') {
    return names.flatMap(([own, state]) => {
      if (!isJsonObject(value) || value[own] === undefined)
        return fault('/value', `The pin of ${pin.node} needs an object with a value for each of ${[...outputs.keys()].join(', ')}.`);
      return valueFaults(pin, own, schemaOf(state), value[own], `/value/${own}`);
    });
  }
  const branch = names.find(([own]) => own === pin.branch);
  if (!branch) return fault('/branch', `The pin of ${pin.node} needs a branch: ${[...outputs.keys()].join(' or ')}.`);
  return valueFaults(pin, branch[0], schemaOf(branch[1]), value, '/value');
}

function valueFaults(pin: Pin, own: string, schema: JsonSchema, value: Json, path: string): SuppliedFault[] {
  const violation = compileSchema(schema)(value);
  if (!violation) return [];
  const at = violation.path && ` (at ${violation.path})`;
  return [
    {
      id: pin.id,
      path: path + violation.path,
      message: `The pin of ${pin.node} doesn't fit ${own}: ${violation.message}${at}. Change its value.`,
    },
  ];
}

/** A disabled node gives on what it consumes, so its output has to take that. Schemas that differ may still fit one value; then pin that value. */
function disabledFaults(
  node: GraphNode,
  outputs: ReadonlyMap<string, string>,
  pin: Pin,
  schemaOf: (state: string) => JsonSchema,
): SuppliedFault[] {
  const fault = (message: string): SuppliedFault[] => [
    { id: pin.id, path: '/disabled', message: `${pin.node} can't be disabled: ${message}` },
  ];
  if (node.from.length !== 1) return fault('it consumes two states and would have to merge them. Pin a value instead.');
  const given = schemaOf(node.from[0] as string);
  const names = pin.branch === undefined ? [...outputs] : [...outputs].filter(([own]) => own === pin.branch);
  const takes = names.filter(([, state]) => accepts(schemaOf(state), given));
  const [own = ''] = names.find((name) => !takes.includes(name)) ?? [];
  if (node.kind === 'either' ? takes.length > 0 : takes.length === names.length) return [];
  return fault(`its output ${own} has a different schema than its input. Pin a value instead.`);
}

/** Whether a schema certainly accepts every value of another one. */
function accepts(schema: JsonSchema, given: JsonSchema): boolean {
  return (
    schema === true || (isJsonObject(toJson(schema)) && Object.keys(schema).length === 0) || schemasAgree(toJson(schema), toJson(given))
  );
}

function mockFaults(mock: Mock, outputSchemaOf: OutputSchemaOf): SuppliedFault[] {
  try {
    readyMock(mock);
  } catch (error) {
    if (!(error instanceof FlowError)) throw error;
    const [problem] = (error.toJSON().details.problems ?? []) as readonly { readonly path: string }[];
    return [{ id: mock.id, path: problem?.path ?? '', message: error.message }];
  }
  const schema = mock.kind === 'tool' ? outputSchemaOf(mock.tool) : undefined;
  if (schema === undefined || mock.kind !== 'tool') return [];
  return mock.rules.flatMap(({ result }, index) => {
    const violation = result === undefined ? null : compileSchema(schema)(result);
    if (!violation) return [];
    const message = `Rule ${index + 1} of the mock of ${mock.tool} returns something else than the tool does: ${violation.message}. Change its result.`;
    return [{ id: mock.id, path: `/rules/${index}/result${violation.path}`, message }];
  });
}
