import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * A process that others can recognise: where its number means something, the number, and when the process started, since numbers are used again. `place` is
 * the boot and the namespace of process ids on Linux (two containers may share a host name and a folder), elsewhere the host's name.
 */
export interface ProcessOwner {
  readonly place: string;
  readonly pid: number;
  /** In clock ticks since the boot; empty where that cannot be found out. */
  readonly started: string;
}

let own: ProcessOwner | undefined;

/** This process. */
export function ownProcess(): ProcessOwner {
  own ??= readOwn();
  return own;
}

function readOwn(): ProcessOwner {
  const { pid } = process;
  const elsewhere = { place: `host ${hostname()}`, pid, started: '' };
  if (process.platform !== 'linux') return elsewhere;
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return { place: `${boot} ${readlinkSync('/proc/self/ns/pid')}`, pid, started: startOf('self') ?? '' };
  } catch {
    return elsewhere;
  }
}

export function ownerText({ place, pid, started }: ProcessOwner): string {
  return JSON.stringify([place, pid, started]);
}

/** Reads what `ownerText` wrote; null for anything else, such as an owner that an older version wrote. */
export function parseOwner(text: string): ProcessOwner | null {
  try {
    const [place, pid, started]: unknown[] = JSON.parse(text);
    if (typeof place !== 'string' || typeof pid !== 'number' || typeof started !== 'string') return null;
    return { place, pid, started };
  } catch {
    return null;
  }
}

/** Whether a process is known to have ended. Of one in another namespace, on another machine or before the last boot, nothing can be found out by its number. */
export function hasEnded({ place, pid, started }: ProcessOwner): boolean {
  if (place !== ownProcess().place) return false;
  if (!isAlive(pid)) return true;
  const start = startOf(pid);
  return started !== '' && start !== undefined && start !== started;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** When a process started; undefined where `/proc` does not say, or shows the processes of another namespace. */
function startOf(pid: number | 'self'): string | undefined {
  try {
    if (statFields('self').pid !== String(process.pid)) return undefined;
    return statFields(pid).started;
  } catch {
    return undefined;
  }
}

/** Of `/proc/PID/stat`: the number, and the 22nd field. The program's name, the second, may contain anything. */
function statFields(pid: number | 'self'): { readonly pid: string; readonly started: string | undefined } {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { pid: text.slice(0, text.indexOf(' ')), started: fields[19] };
}
