/** A launch configuration, as far as it is read here. */
export interface LaunchConfiguration {
  type: string;
  name: string;
  request: string;
  program?: unknown;
  run?: unknown;
  [key: string]: unknown;
}

/** A configuration that can be started, or why it can't, for the user. */
export type Resolved = { readonly configuration: LaunchConfiguration } | { readonly problem: string };

const flow = /\.flow\.(?:ya?ml|json)$/i;

/** Returns a configuration that debugs one flow, stopped before its first node. */
export function debugFlow(program: string): LaunchConfiguration {
  return { type: 'pravah', name: 'Debug flow', request: 'launch', program, stopOnEntry: true };
}

/** Completes a configuration. One without anything comes from *Run and Debug* in a folder without launch.json: it debugs the active file. */
export function resolveConfiguration(configuration: Partial<LaunchConfiguration>, activeFile: string | undefined): Resolved {
  const { type, name, request, program, run } = configuration;
  if (!type && !request && !name) {
    if (activeFile && flow.test(activeFile)) return { configuration: debugFlow(activeFile) };
    return { problem: 'Open a flow (*.flow.yaml or *.flow.json) to debug it.' };
  }
  if (request === 'attach' && !isText(run))
    return { problem: 'Add "run" to the launch configuration: the id of a run, as "pravah runs" lists it.' };
  if (request === 'launch' && !isText(program)) return { problem: 'Add "program" to the launch configuration: the path of a flow.' };
  if (request !== 'launch' && request !== 'attach')
    return { problem: `Unknown request "${request}" in the launch configuration. Use "launch" or "attach".` };
  return { configuration: { ...configuration, type: 'pravah', name: name ?? 'Debug flow', request } };
}

/** The user's settings. */
export interface Settings {
  readonly path: unknown;
  readonly arguments: unknown;
}

/** Returns the program that is the debug adapter, with its arguments. */
export function adapterCommand(settings: Settings): { readonly command: string; readonly args: string[] } {
  const command = isText(settings.path) ? settings.path.trim() : 'pravah';
  const more = Array.isArray(settings.arguments) ? settings.arguments.filter((each) => typeof each === 'string') : [];
  return { command, args: ['dap', ...more] };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
