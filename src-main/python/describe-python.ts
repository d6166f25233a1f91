import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findPython, type PythonPlaces } from './find-python.ts';

/** Time limit for asking an interpreter for its version, in milliseconds. */
const patience = 10_000;

/** The interpreter of a folder's functions, with its version (`Python 3.13.0: /usr/bin/python3`). Throws as `findPython` does. */
export async function describePython(places: PythonPlaces): Promise<string> {
  const path = await findPython(places);
  const asked = promisify(execFile)(path, ['--version'], { cwd: places.folder, timeout: patience });
  return asked.then(
    ({ stdout }) => `${stdout.trim()}: ${path}`,
    () => `Python of an unknown version: ${path}`,
  );
}
