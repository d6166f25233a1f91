import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { ROOT } from '#scripts/checks/source-files.ts';

export interface ProgramResult {
  /** Whether it ended by itself with exit code 0. */
  readonly ok: boolean;
  /** Standard output. */
  readonly output: string;
  /** Standard error. */
  readonly errors: string;
}

export interface ProgramOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** The program and what it started are killed after this long, times the slowness of the machine. */
  readonly limitMinutes?: number;
  /** Whether it has only the processor time that nothing else asks for. */
  readonly lowPriority?: boolean;
}

const running = new Set<ChildProcess>();
let ended = false;

/** Runs a program in the checkout and shows what it prints. */
export function runProgram(
  command: string,
  args: readonly string[],
  { env = {}, limitMinutes = 15, lowPriority = false }: ProgramOptions = {},
): Promise<ProgramResult> {
  if (ended) return Promise.resolve({ ok: false, output: '', errors: '' });
  // In a process group of its own, so that ending it ends what it started.
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
  });
  running.add(child);
  if (lowPriority) lowerPriority(child);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    process.stdout.write(text);
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
    process.stderr.write(text);
  });
  const minutes = limitMinutes * Number(process.env.PRAVAH_TEST_SLOWNESS ?? 1);
  const timer = setTimeout(() => {
    process.stderr.write(`${command} took more than ${minutes} minutes and is ended.\n`);
    endGroup(child);
  }, minutes * 60_000);
  return new Promise((resolve) => {
    const finish = (ok: boolean) => {
      clearTimeout(timer);
      running.delete(child);
      resolve({ ok, output, errors });
    };
    child.on('error', (error) => {
      process.stderr.write(`${command} could not be started: ${error.message}\n`);
      finish(false);
    });
    child.on('close', (code) => finish(code === 0));
  });
}

/** Linux shares the processor out between sessions first, and within them by priority: both are lowered. */
function lowerPriority({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
    if (process.platform === 'linux') writeFileSync(`/proc/${pid}/autogroup`, String(constants.priority.PRIORITY_LOW));
  } catch {
    // It has ended, or this system knows no such thing: it runs as it is.
  }
}

/** Ends everything that still runs; nothing more is started. */
export function endPrograms(): void {
  ended = true;
  for (const child of running) endGroup(child);
}

function endGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
  } catch {
    // It has just ended by itself.
  }
}
