import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type LoadedFlow, openFlow } from '#main/workspace/flow-loader.ts';
import { loadSettings } from '#main/workspace/settings.ts';

interface Known {
  /** What the flow depends on, as it was when it was loaded. */
  readonly stamp: string;
  readonly files: readonly string[];
  readonly flow: LoadedFlow;
}

/** The flows in code of a folder. One that could be loaded is loaded again only when it, or a file that it loads, has changed. */
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
    // What failed may depend on files that nobody has been told of; what changed meanwhile is loaded once more.
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
