import type { StartCodeProcess } from '#main/engine/ports/code-process.ts';

/** Starts processes for the workspace's own code, for `RunContext.codeProcess`. Loaded on first use. */
export async function codeProcess(): Promise<StartCodeProcess> {
  const { ModuleProcess } = await import('./module-process.ts');
  return (folder) => new ModuleProcess(folder);
}
