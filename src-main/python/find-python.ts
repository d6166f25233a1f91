import { execFile } from 'node:child_process';
import { accessSync, closeSync, constants, openSync, readSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { promisify } from 'node:util';
import { programPath } from '#main/platform/programs/find-program.ts';
import { FlowError } from '#shared/run/error.ts';

export interface PythonPlaces {
  /** Real path of the workspace. */
  readonly folder: string;
  readonly project: string;
  /** The interpreter that `pravah.json` names. */
  readonly interpreter?: string | undefined;
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

const onWindows = process.platform === 'win32';
/** Time limit for asking a shim which interpreter it starts, in milliseconds. */
const shimPatience = 10_000;

/** Interpreters behind shims, by path: a pyenv shim takes 0.4 s to find its own. */
const behindShims = new Map<string, Promise<string>>();

/**
 * Finds the user's Python: what `pravah.json` names, a virtual environment of the project or the folder, `VIRTUAL_ENV`, `python3`, `python`. A path
 * in a virtual environment is not resolved, since Python finds its packages by it. Throws `FlowError` `BuildError` with what was tried.
 */
export async function findPython(places: PythonPlaces): Promise<string> {
  const tried: string[] = [];
  for (const candidate of candidates(places)) {
    if (tried.includes(candidate)) continue;
    if (isProgram(candidate)) return isScript(candidate) ? await interpreterOf(candidate, places.folder) : candidate;
    tried.push(candidate);
  }
  const message = `Python was not found: tried ${tried.join(', ')}. Install Python 3.11 or newer, or set "python" in pravah.json.`;
  throw new FlowError('BuildError', message, { code: 'CONFIG_PYTHON_MISSING', details: { tried } });
}

function candidates({ folder, project, interpreter, environment = process.env }: PythonPlaces): string[] {
  if (interpreter !== undefined) {
    return /[/\\]/.test(interpreter) ? [resolve(folder, interpreter)] : onSearchPath(interpreter, folder, environment);
  }
  const environments = [project, folder].flatMap((place) => [join(place, '.venv'), join(place, 'venv')]);
  const active = environment.VIRTUAL_ENV;
  return [
    ...[...environments, ...(active ? [active] : [])].map(inVirtualEnvironment),
    ...onSearchPath('python3', folder, environment),
    ...onSearchPath('python', folder, environment),
  ];
}

function inVirtualEnvironment(folder: string): string {
  return onWindows ? join(folder, 'Scripts', 'python.exe') : join(folder, 'bin', 'python');
}

/** Where a program may be. A folder of the workspace on the search path decides nothing: a tool could have written the program. */
function onSearchPath(name: string, folder: string, { PATH = '' }: Readonly<Record<string, string | undefined>>): string[] {
  const outside = (place: string) =>
    isAbsolute(place) && (relative(folder, place).split(sep)[0] === '..' || isAbsolute(relative(folder, place)));
  const places = [...PATH.split(delimiter).filter(outside), ...programPath];
  return [...new Set(places)].map((place) => join(place, onWindows ? `${name}.exe` : name));
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Whether a program is a script, as the shims of version managers are. */
function isScript(path: string): boolean {
  const start = Buffer.alloc(2);
  try {
    const file = openSync(path, 'r');
    readSync(file, start);
    closeSync(file);
  } catch {
    // A program that can be run need not be readable.
  }
  return start.toString('latin1') === '#!';
}

function interpreterOf(shim: string, folder: string): Promise<string> {
  const known = behindShims.get(shim);
  if (known) return known;
  const found = promisify(execFile)(shim, ['-c', 'import sys; print(sys.executable)'], { cwd: folder, timeout: shimPatience }).then(
    ({ stdout }) => stdout.trim() || shim,
    () => shim,
  );
  behindShims.set(shim, found);
  return found;
}
