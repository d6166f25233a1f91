import { type FlowPlace, pythonOfFlow } from '#main/workspace/python-of-flow.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import { printNote } from './terminal.ts';

/** Prints the Python that a flow calls, if it calls any: its version and path, or what was tried to find one. */
export async function printPython(graph: FlowGraph, place: FlowPlace): Promise<void> {
  const python = await pythonOfFlow(graph, place);
  if (python) printNote('version' in python ? python.version : python.missing);
}
