import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { delimiter, join, relative, sep } from 'node:path';
import { ToolError } from '#shared/run/error.ts';

/**
 * The fixed search path for programs. This process's PATH is ignored: an added folder or a relative entry must not decide which program an
 * allowed name resolves to.
 */
export const programPath: readonly string[] =
  process.platform === 'win32'
    ? windowsFolders()
    : ['/usr/local/bin', '/usr/bin', '/bin', '/usr/local/sbin', '/usr/sbin', '/sbin', '/opt/homebrew/bin', '/opt/local/bin'];

export const programPathVariable = programPath.join(delimiter);

function windowsFolders(): string[] {
  const system = process.env.SystemRoot ?? 'C:\\Windows';
  const programs = process.env.ProgramFiles ?? 'C:\\Program Files';
  return [join(system, 'System32'), system, join(programs, 'Git', 'cmd'), join(programs, 'nodejs')];
}

/**
 * Returns the absolute path of a program on the fixed PATH. Throws ToolError `Missing` if it is not found, and `ForbiddenCommand` if it is
 * in the working folder, where a tool could have written it.
 */
export async function findProgram(name: string, workingFolder: string): Promise<string> {
  for (const folder of programPath) {
    for (const file of process.platform === 'win32' ? [`${name}.exe`] : [name]) {
      const path = join(folder, file);
      if (!(await isProgram(path))) continue;
      const way = relative(workingFolder, await realpath(path));
      if (way.split(sep)[0] === '..' || way.includes(':')) return path;
      throw new ToolError('ForbiddenCommand', `The program ${path} is in the working folder, where a tool could change it.`, {
        details: { command: name },
      });
    }
  }
  throw new ToolError('Missing', `Program ${JSON.stringify(name)} was not found in ${programPath.join(', ')}.`, {
    details: { command: name },
  });
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
