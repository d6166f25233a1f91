import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * Identifies a process for other processes: the scope of its id, the id, and its start time, since ids are reused. `place` is
 * the boot and the namespace of process ids on Linux (two containers may share a host name and a folder), elsewhere the host's name.
 */
export interface ProcessOwner {
  readonly place: string;
  readonly pid: number;
  /** In clock ticks since boot; empty if unknown. */
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

/** Parses what `ownerText` wrote; null for anything else, such as an owner of an older version. */
export function parseOwner(text: string): ProcessOwner | null {
  try {
    const [place, pid, started]: unknown[] = JSON.parse(text);
    if (typeof place !== 'string' || typeof pid !== 'number' || typeof started !== 'string') return null;
    return { place, pid, started };
  } catch {
    return null;
  }
}

/** Whether a process is known to have ended. Unknown for a process in another namespace, on another machine or before the last boot. */
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

/** Returns a process's start time; undefined if `/proc` does not show it or shows another namespace. */
function startOf(pid: number | 'self'): string | undefined {
  try {
    if (statFields('self').pid !== String(process.pid)) return undefined;
    return statFields(pid).started;
  } catch {
    return undefined;
  }
}

/** Parses the process id and the 22nd field of `/proc/PID/stat`. The program's name, the second field, may contain anything. */
function statFields(pid: number | 'self'): { readonly pid: string; readonly started: string | undefined } {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { pid: text.slice(0, text.indexOf(' ')), started: fields[19] };
}
