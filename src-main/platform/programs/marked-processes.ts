import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { uptime } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';

/** Environment variable that a program and its descendants inherit, used to find them. */
const variable = 'PRAVAH_PROCESS_MARK';

/** Maximum number of searches, because a process may have just started another, and the pause between them in milliseconds. */
const maxSearches = 50;
const pauseMs = 10;

/** Clock ticks per second and the kernel thread flag in `/proc/PID/stat`. */
const ticksPerSecond = 100;
const kernelThread = 0x00200000;

/**
 * Marks the processes of a call to find those that left its process group (daemons). Works only on Linux, which exposes the environment of
 * processes. A process that clears its environment is not found.
 */
export class ProcessMark {
  readonly #entry = `${variable}=${randomUUID()}`;
  readonly #since = (uptime() - 1) * ticksPerSecond;

  /** An environment that contains the mark. */
  mark(env: Readonly<Record<string, string>>): Record<string, string> {
    return { ...env, [variable]: this.#entry.slice(variable.length + 1) };
  }

  /** Kills all processes of this user that carry the mark. */
  async killAll(): Promise<void> {
    if (process.platform !== 'linux') return;
    for (let search = 0; search < maxSearches; search += 1) {
      if (search > 0) await wait(pauseMs);
      const names = await readdir('/proc').catch(() => []);
      const pids = names.filter((name) => /^\d+$/.test(name) && name !== String(process.pid));
      const left = await Promise.all(pids.map((pid) => this.#killMarked(pid)));
      if (!left.includes(true)) return;
    }
  }

  /** Whether another search is needed: the process had the mark, or its environment is not known yet. */
  async #killMarked(pid: string): Promise<boolean> {
    // Processes of other users cannot be read; ended ones have no environment.
    const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => null);
    if (environment === null) return false;
    if (environment === '') return this.#isStarting(pid);
    if (!environment.split('\0').includes(this.#entry)) return false;
    kill(Number(pid));
    return true;
  }

  /** A process in the middle of exec briefly has no environment. */
  async #isStarting(pid: string): Promise<boolean> {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state = 'X', flags = 0, started = 0] = [fields[0], Number(fields[6]), Number(fields[19])];
    return !/[ZX]/.test(state) && (flags & kernelThread) === 0 && started >= this.#since;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
