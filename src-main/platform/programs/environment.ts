import { homedir, tmpdir } from 'node:os';
import { programPathVariable } from './find-program.ts';

/** Variables of this process that a child may see: none contains a key or changes which program a name resolves to. */
const passedOn =
  process.platform === 'win32' ? ['SystemRoot', 'SystemDrive', 'ProgramFiles', 'PATHEXT', 'USERNAME'] : ['USER', 'LOGNAME', 'TZ'];

/** The complete environment of every program that a tool starts. */
export function minimalEnvironment(): Record<string, string> {
  const env: Record<string, string> = {
    PATH: programPathVariable,
    HOME: homedir(),
    TMPDIR: tmpdir(),
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    PAGER: 'cat',
  };
  if (process.platform === 'win32') Object.assign(env, { USERPROFILE: homedir(), TEMP: tmpdir(), TMP: tmpdir() });
  for (const name of passedOn) {
    const value = process.env[name];
    if (value !== undefined) env[name] = value;
  }
  return env;
}

/** Variables of this process that the workspace's own code may see: none that may contain a key. */
const passedToCode = ['PATH', 'HOME', 'LANG', 'TZ', 'TMPDIR', 'SystemRoot'];

/** The environment of the processes that run a trusted workspace's own code. */
export function codeEnvironment(): Record<string, string> {
  return Object.fromEntries(passedToCode.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])));
}
