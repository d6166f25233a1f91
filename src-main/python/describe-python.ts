import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { FlowGraph } from '#shared/flow/graph.ts';
import { parseToolReference, toolUse } from '#shared/flow/tool-use.ts';
import { findPython, type PythonPlaces } from './find-python.ts';

/** Time limit for asking an interpreter for its version, in milliseconds. */
const patience = 10_000;

/** Whether nodes of a flow call Python. */
export function callsPython({ nodes, flow_tools = {} }: FlowGraph): boolean {
  const uses = nodes.some(({ body }) => {
    if (body.type === 'each') return callsPython(body.flow);
    const tools =
      body.type === 'agent' ? (body.agent.tools ?? []) : body.type === 'session' && 'tool' in body.session ? [body.session.tool] : [];
    const isCode = body.type === 'session' && 'code' in body.session;
    return isCode || tools.some((use) => parseToolReference(toolUse(use).name).type === 'python');
  });
  return uses || Object.values(flow_tools).some(callsPython);
}

/** The interpreter of a folder's functions, with its version (`Python 3.13.0: /usr/bin/python3`). Throws as `findPython` does. */
export async function describePython(places: PythonPlaces): Promise<string> {
  const path = await findPython(places);
  const asked = promisify(execFile)(path, ['--version'], { cwd: places.folder, timeout: patience });
  return asked.then(
    ({ stdout }) => `${stdout.trim()}: ${path}`,
    () => `Python of an unknown version: ${path}`,
  );
}
