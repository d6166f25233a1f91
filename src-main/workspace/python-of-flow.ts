import { describePython } from '#main/python/describe-python.ts';
import { findProject } from '#main/python/find-project.ts';
import { callsPython, pythonNodes } from '#shared/flow/calls-python.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import type { Problem } from '#shared/flow/problem.ts';
import { toTransferable } from '#shared/run/error.ts';
import { pythonOptions, type WorkspaceSettings } from './settings.ts';

/** The Python of a flow: its version and path, or why there is none. */
export type PythonOfFlow = { readonly version: string } | { readonly missing: string };

/** A folder and a flow in it. */
export interface FlowPlace {
  /** Real path of the workspace. */
  readonly folder: string;
  readonly settings: WorkspaceSettings;
  /** Relative to the workspace. */
  readonly path: string;
}

/** Finds the Python that a flow calls; null for a flow that calls none. Only for a trusted folder: the interpreter is asked for its version. */
export async function pythonOfFlow(graph: FlowGraph, { folder, settings, path }: FlowPlace): Promise<PythonOfFlow | null> {
  if (!callsPython(graph)) return null;
  const { interpreter } = pythonOptions(settings);
  try {
    return { version: await describePython({ folder, project: findProject(folder, path), interpreter }) };
  } catch (error) {
    return { missing: toTransferable(error).message };
  }
}

/** The problem of a flow whose Python is not there. */
export async function pythonProblems(graph: FlowGraph | null, place: FlowPlace): Promise<Problem[]> {
  const python = graph && (await pythonOfFlow(graph, place));
  if (!graph || !python || !('missing' in python)) return [];
  return [{ code: 'python_missing', severity: 'warning', message: python.missing, path: '', nodes: pythonNodes(graph) }];
}
