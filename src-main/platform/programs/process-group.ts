import type { ChildProcess } from 'node:child_process';

/** A child that was started `detached`, and its descendants that did not leave its process group. */
export class ProcessGroup {
  readonly #child: ChildProcess;

  constructor(child: ChildProcess) {
    this.#child = child;
  }

  signal(name: NodeJS.Signals): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      if (process.platform === 'win32') this.#child.kill(name);
      else process.kill(-pid, name);
    } catch {
      // The group has already ended.
    }
  }
}
