import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { LoadedFlow } from '#main/workspace/flow-loader.ts';
import { openFlow } from '#main/workspace/open-flow.ts';
import { loadSettings } from '#main/workspace/settings.ts';

interface Known {
  /** The flow's dependencies at the time of loading. */
  readonly stamp: string;
  readonly files: readonly string[];
  readonly flow: LoadedFlow;
}

/** A cache of a folder's flows in code. A flow is reloaded only if it, or a file that it loads, has changed. */
export class CodeFlows {
  readonly #folder: string;
  readonly #known = new Map<string, Known>();
  readonly #loading = new Map<string, Promise<LoadedFlow>>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** `path` is relative to the folder. */
  async load(path: string, trusted: boolean): Promise<LoadedFlow> {
    const settings = await loadSettings(this.#folder);
    const about = JSON.stringify([trusted, settings]);
    const known = this.#known.get(path);
    if (known && known.stamp === stampOf(known.files, about)) return known.flow;
    const key = `${path}\n${about}`;
    const loading = this.#loading.get(key) ?? this.#load(path, about, () => openFlow(path, { folder: this.#folder, trusted, settings }));
    this.#loading.set(key, loading);
    return loading.finally(() => this.#loading.delete(key));
  }

  async #load(path: string, about: string, open: () => Promise<LoadedFlow>): Promise<LoadedFlow> {
    const self = join(this.#folder, path);
    const before = stampOf([self], about);
    const flow = await open();
    const files = [...new Set([self, ...flow.files])];
    // A failed load may depend on unknown files, so it is not cached. A flow that changed during loading is reloaded.
    if (flow.graph && before === stampOf([self], about)) this.#known.set(path, { stamp: stampOf(files, about), files, flow });
    else this.#known.delete(path);
    return flow;
  }
}

function stampOf(files: readonly string[], about: string): string {
  const stamps = files.map((file) => {
    const found = statSync(file, { throwIfNoEntry: false });
    return found ? `${found.mtimeMs} ${found.size} ${found.ino}` : 'gone';
  });
  return [about, ...stamps].join('\n');
}
