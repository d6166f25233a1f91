import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { FlowError } from '#shared/run/error.ts';

/** Where an environment of Python has its interpreter. */
const inEnvironment = process.platform === 'win32' ? ['Scripts', 'python.exe'] : ['bin', 'python'];

/**
 * The user's Python for a folder: its own environment (`.venv`, `venv`), the active one (`VIRTUAL_ENV`), else the first `python3` or `python` on the
 * path. Throws `HandlerError` that names what was tried.
 */
export function findPython(folder: string, env: Readonly<Record<string, string | undefined>> = process.env): string {
  const environments = [join(folder, '.venv'), join(folder, 'venv'), ...(env.VIRTUAL_ENV ? [env.VIRTUAL_ENV] : [])];
  const names = process.platform === 'win32' ? ['python3.exe', 'python.exe'] : ['python3', 'python'];
  const folders = (env.PATH ?? '').split(delimiter).filter((path) => path !== '');
  const tried = [
    ...environments.map((environment) => join(environment, ...inEnvironment)),
    ...names.flatMap((name) => folders.map((path) => join(path, name))),
  ];
  const found = tried.find(isProgram);
  if (found !== undefined) return found;
  const where = `${environments.join(', ')} and the PATH`;
  throw new FlowError('HandlerError', `No Python was found in ${where}. Install Python 3.11 or newer, or create an environment in .venv.`, {
    code: 'PYTHON_MISSING',
    retryable: false,
  });
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
