import { lstat, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { decodeText } from '#main/workspace/decode-text.ts';
import { draftIndex } from '#main/workspace/flow-drafts.ts';
import { scanFolder } from '#main/workspace/flow-folder.ts';
import { isWorkflowText } from '#main/workspace/workflow-file.ts';
import type { FlowFile } from '#shared/contract/workspace.ts';
import { isCodeFlow, mayBeWorkflow, withoutFlowEnding } from '#shared/flow/flow-file.ts';
import { readFlowName } from './flow-name.ts';

interface KnownName {
  /** Null for YAML that is not a workflow. */
  readonly name: string | null;
  readonly modified: number;
  readonly size: number;
}

/** Maximum size of a listed workflow in bytes: a folder may hold large YAML files of other programs. */
const largestWorkflow = 1024 * 1024;

/** Both words are searched for first: parsing every YAML file of a folder would be slow. */
function looksLikeWorkflow(path: string, text: string): boolean {
  return /\bagents\b/.test(text) && /\borchestration\b/.test(text) && isWorkflowText(path, text);
}

const isFile = (file: string): Promise<boolean> =>
  lstat(file).then(
    (found) => found.isFile(),
    () => false,
  );

/** The flows of a folder with their names. Caches the names of unchanged files. */
export class FlowList {
  readonly #folder: string;
  #known = new Map<string, KnownName>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Sorted by path. */
  async read(): Promise<FlowFile[]> {
    const [{ flows, candidates }, hasDraft] = await Promise.all([scanFolder(this.#folder), draftIndex(this.#folder)]);
    const paths = [...flows, ...candidates].sort();
    const known = new Map(await Promise.all(paths.map(async (path) => [path, await this.#nameOf(path)] as const)));
    this.#known = known;
    return [...known].flatMap(([path, { name }]) => (name === null ? [] : { path, name, has_draft: hasDraft(path) }));
  }

  /** Whether the folder has a flow at this path. Walks the folder only for one that was not seen before. */
  async has(path: string): Promise<boolean> {
    if (this.#known.has(path)) return (await this.#nameOf(path)).name !== null && (await isFile(join(this.#folder, path)));
    return (await this.read()).some((flow) => flow.path === path);
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
      const mayNotBeFlow = mayBeWorkflow(path);
      if (mayNotBeFlow && size > largestWorkflow) return { name: null, modified, size };
      const decoded = decodeText(await readFile(file));
      if (mayNotBeFlow && !(decoded.ok && looksLikeWorkflow(path, decoded.text))) return { name: null, modified, size };
      const name = (decoded.ok && readFlowName(decoded.text, path)) || fallback;
      return { name, modified, size };
    } catch {
      return { name: mayBeWorkflow(path) ? null : fallback, modified: 0, size: -1 };
    }
  }
}
