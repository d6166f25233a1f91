import { assertSupplied, suppliedFaults } from '#main/debug/check-supplied.ts';
import { suppliedIn } from '#main/hosts/cli/session/supply-options.ts';
import type { RunInspector } from '#main/runner/run-inspector.ts';
import { builtInTools } from '#main/tools/catalogue.ts';
import type { Pin, Supplied } from '#shared/contract/supplied.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import { isJsonObject, type Json } from '#shared/json.ts';
import { FlowError } from '#shared/run/error.ts';
import type { Frame } from '#shared/run/stop.ts';

/** Reads a pin of a node's output: JSON, after the state for a node that chooses one. Throws `FlowError` for one that doesn't fit. */
export function pinOf(text: string, frame: Frame | undefined, graph: FlowGraph): Pin {
  if (!frame) throw new FlowError('Invalid', 'The run has ended: there is no node whose output could be pinned.');
  const [, branch, json = ''] = /^(?:([A-Z]\w*)\s+)?(.+)$/s.exec(text) ?? [];
  const { flow, node } = frame;
  const pin: Pin = {
    id: `pin ${flow}#${node}`.slice(0, 100),
    kind: 'pin',
    flow,
    node,
    value: readJson(json, 'value'),
    ...(branch && { branch }),
  };
  assertSupplied(suppliedFaults(graph, [pin], () => undefined));
  return pin;
}

/** Reads a mock of a tool or model. Throws `FlowError` for one that is invalid or doesn't fit. */
export function mockOf(text: string, { graph, row }: RunInspector): Supplied {
  const read = readJson(text, 'mock');
  const id = `mock ${isJsonObject(read) ? (read.tool ?? read.model) : ''}`.slice(0, 100);
  const [mock] = suppliedIn([isJsonObject(read) ? { id, ...read } : read], 'The debug console', row.flow_path);
  if (!mock || mock.kind === 'pin') throw new FlowError('Invalid', 'A mock has the kind "tool" or "model". Pin outputs with: pin {…}.');
  assertSupplied(suppliedFaults(graph, [mock], (tool) => builtInTools().get(tool)?.output_schema));
  return mock;
}

/** Parses JSON of the debug console. Throws `FlowError` `Invalid`. */
export function readJson(text: string, name: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    throw new FlowError('Invalid', `The ${name} is not valid JSON: ${error instanceof Error ? error.message : String(error)}.`);
  }
}
