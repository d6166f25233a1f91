import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { uptime } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';

/** The variable that a program and all that it starts inherit, and by which they are found again. */
const variable = 'PRAVAH_PROCESS_MARK';

/** How often is searched at most: a process that is found may just have started another. In between, milliseconds. */
const SEARCHES = 50;
const PAUSE = 10;

/** Ticks of a second in `/proc/PID/stat`, and the flag of kernel threads there. */
const TICKS = 100;
const KERNEL_THREAD = 0x00200000;

/**
 * Marks the processes of one call, so that those are found that left its process group (daemons). Only Linux shows the environment of a process;
 * elsewhere nothing is found. A process that clears its environment is not found either.
 */
export class ProcessMark {
  readonly #entry = `${variable}=${randomUUID()}`;
  readonly #since = (uptime() - 1) * TICKS;

  /** An environment with the mark in it. */
  mark(env: Readonly<Record<string, string>>): Record<string, string> {
    return { ...env, [variable]: this.#entry.slice(variable.length + 1) };
  }

  /** Kills every process of this user that has the mark. */
  async killAll(): Promise<void> {
    if (process.platform !== 'linux') return;
    for (let search = 0; search < SEARCHES; search += 1) {
      if (search > 0) await wait(PAUSE);
      const names = await readdir('/proc').catch(() => []);
      const pids = names.filter((name) => /^\d+$/.test(name) && name !== String(process.pid));
      const left = await Promise.all(pids.map((pid) => this.#killMarked(pid)));
      if (!left.includes(true)) return;
    }
  }

  /** True when another search is needed: the process had the mark, or its environment cannot be told yet. */
  async #killMarked(pid: string): Promise<boolean> {
    // What belongs to other users cannot be read, and what has ended has no environment.
    const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => null);
    if (environment === null) return false;
    if (environment === '') return this.#isStarting(pid);
    if (!environment.split('\0').includes(this.#entry)) return false;
    kill(Number(pid));
    return true;
  }

  /** A process that is just replacing its program has no environment for a moment. */
  async #isStarting(pid: string): Promise<boolean> {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state = 'X', flags = 0, started = 0] = [fields[0], Number(fields[6]), Number(fields[19])];
    return !/[ZX]/.test(state) && (flags & KERNEL_THREAD) === 0 && started >= this.#since;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
