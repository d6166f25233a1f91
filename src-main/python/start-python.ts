import type { PythonProcess } from '#main/engine/ports/python-process.ts';
import type { PythonHost, PythonOptions } from './python-host.ts';

/** The Python of a trusted folder, for `RunContext.python`. Loaded on first use; the process starts with the first call. */
export function startPython(options: PythonOptions): PythonProcess {
  let loaded: Promise<PythonHost> | undefined;
  let host: PythonHost | undefined;
  const load = (): Promise<PythonHost> => {
    loaded ??= import('./python-host.ts').then(({ PythonHost: Host }) => {
      host = new Host(options);
      return host;
    });
    return loaded;
  };
  return {
    call: async (call, caller) => (await load()).call(call, caller),
    tools: async (flow, dotted) => (await load()).tools(flow, dotted),
    check: async (flow, name, keys) => (await load()).check(flow, name, keys),
    close: () => host?.close(),
  };
}
