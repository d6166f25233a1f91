import type { PythonCall, PythonValue } from '#main/engine/ports/python-process.ts';
import { fromJson, jsonDumps } from '#shared/python/index.ts';

/** A request to the process. */
export type PythonRequest = Omit<PythonCall, 'flow' | 'kind'> & { readonly kind: PythonCall['kind'] | 'describe' | 'check' };

/** A request as one line. Floats of integral value are written as Python does (`190.0`), so that they arrive as floats. */
export function requestText(id: number, { kwargs, state, about, ...request }: PythonRequest): string {
  const { tool_call_id, agent, invocation_id } = about ?? {};
  const head = JSON.stringify({ id, ...request, agent, invocation_id, tool_call_id });
  const values = [`"kwargs":${valueText(kwargs)}`, ...(state ? [`"state":${valueText(state)}`] : [])];
  return `${head.slice(0, -1)},${values.join(',')}}\n`;
}

function valueText({ value, floats }: PythonValue): string {
  return floats.length === 0 ? JSON.stringify(value) : jsonDumps(fromJson(value, floats));
}
