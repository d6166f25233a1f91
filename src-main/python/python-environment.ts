import { codeEnvironment } from '#main/platform/programs/environment.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The complete environment of the user's Python: that of the workspace's other code, and `PYFLOW_*` of the user's environment and the folder's `.env`.
 * Others are passed on only if `pravah.json` names them. The user's environment wins, as with PyFlow.
 */
export function pythonEnvironment(dotEnv: Variables, named: readonly string[], own: Variables = process.env): Record<string, string> {
  const names = new Set(named);
  const environment = codeEnvironment();
  for (const [name, value] of [...Object.entries(dotEnv), ...Object.entries(own)]) {
    if (value !== undefined && (name.startsWith('PYFLOW_') || names.has(name))) environment[name] = value;
  }
  return environment;
}
