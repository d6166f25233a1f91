import { readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { decodeText } from '#main/workspace/decode-text.ts';
import { draftIndex } from '#main/workspace/flow-drafts.ts';
import { listFlowPaths } from '#main/workspace/flow-folder.ts';
import type { FlowFile } from '#shared/contract/workspace.ts';
import { isCodeFlow, withoutFlowEnding } from '#shared/flow/flow-file.ts';
import { readFlowName } from './flow-name.ts';

interface KnownName {
  readonly name: string;
  readonly modified: number;
  readonly size: number;
}

/** The flows of a folder with their names. Caches the names of unchanged files. */
export class FlowList {
  readonly #folder: string;
  #known = new Map<string, KnownName>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Sorted by path. */
  async read(): Promise<FlowFile[]> {
    const [paths, hasDraft] = await Promise.all([listFlowPaths(this.#folder), draftIndex(this.#folder)]);
    const known = new Map(await Promise.all(paths.map(async (path) => [path, await this.#nameOf(path)] as const)));
    this.#known = known;
    return [...known].map(([path, { name }]) => ({ path, name, has_draft: hasDraft(path) }));
  }

  async #nameOf(path: string): Promise<KnownName> {
    const file = join(this.#folder, path);
    const fallback = withoutFlowEnding(basename(path));
    try {
      // The name of a flow in code is known only after it is run.
      if (isCodeFlow(path)) return { name: fallback, modified: 0, size: -1 };
      const { mtimeMs: modified, size } = await stat(file);
      const known = this.#known.get(path);
      if (known?.modified === modified && known.size === size) return known;
      const decoded = decodeText(await readFile(file));
      const name = (decoded.ok && readFlowName(decoded.text, path)) || fallback;
      return { name, modified, size };
    } catch {
      return { name: fallback, modified: 0, size: -1 };
    }
  }
}
