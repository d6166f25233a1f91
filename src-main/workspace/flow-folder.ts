import { type FSWatcher, watch } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isCodeFlow, isFlowFile, mayBeWorkflow } from '#shared/flow/flow-file.ts';

/** Folders that contain no flows of this workspace. */
const leftOut = new Set(['.git', '.pravah', 'node_modules']);
const settingsName = 'pravah.json';
/** Files that a flow in code may load. */
const codeName = /\.(?:ts|mts|js|mjs)$/i;
/** Maximum number of watched and searched folders; a workspace has far fewer, a home folder opened by mistake has more. */
const folderLimit = 2000;
/** Changes within this time are reported once, in milliseconds. */
const quiet = 100;

/** Result of scanning a workspace. Paths are relative to it, with `/`, sorted. */
interface FoundFlows {
  readonly flows: readonly string[];
  /** YAML files whose text decides whether they are PyFlow workflows. */
  readonly candidates: readonly string[];
  readonly folders: readonly string[];
}

/** Paths of the flow files of a workspace, relative to it, with `/`, sorted. Links are not followed; unreadable folders are skipped. */
export async function listFlowPaths(folder: string): Promise<readonly string[]> {
  return (await scanFolder(folder)).flows;
}

/** The flow files of a workspace and its other YAML files. Links are not followed; unreadable folders are skipped. */
export async function scanFolder(folder: string): Promise<FoundFlows> {
  const flows: string[] = [];
  const candidates: string[] = [];
  const folders = [''];
  for (let at = 0; at < folders.length && at < folderLimit; at += 1) {
    const within = folders[at] as string;
    const entries = await readdir(join(folder, within), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = within === '' ? entry.name : `${within}/${entry.name}`;
      if (entry.isDirectory() && !leftOut.has(entry.name)) folders.push(path);
      else if (entry.isFile() && isFlowFile(entry.name)) flows.push(path);
      else if (entry.isFile() && mayBeWorkflow(entry.name)) candidates.push(path);
    }
  }
  return { flows: flows.sort(), candidates: candidates.sort(), folders: folders.slice(0, folderLimit) };
}

/** Called with the flow files that were written, created or deleted. Empty: only something else changed (`pravah.json`, the git branch). */
export type OnFlowsChanged = (paths: readonly string[]) => void;

/**
 * Watches a workspace until `close`. Each folder has its own watcher: recursive watching works neither on every system nor
 * for folders that are created later.
 */
export class FlowWatch {
  readonly #folder: string;
  readonly #onChange: OnFlowsChanged;
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #changed = new Set<string>();
  #codeChanged = false;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  /** `folder` is the real path of a workspace. */
  constructor(folder: string, onChange: OnFlowsChanged) {
    this.#folder = folder;
    this.#onChange = onChange;
    void this.#watchFolders();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  async #watchFolders(): Promise<void> {
    const { folders } = await scanFolder(this.#folder);
    if (this.#closed) return;
    for (const folder of [...folders, '.git']) this.#watchOne(folder);
  }

  #watchOne(path: string): void {
    if (this.#watchers.has(path)) return;
    try {
      const watcher = watch(join(this.#folder, path), (_event, name) => this.#notice(path, name));
      watcher.on('error', () => this.#unwatch(path));
      this.#watchers.set(path, watcher);
    } catch {
      // The folder was deleted, or the system's watch limit is reached; the flows are still available.
    }
  }

  #unwatch(path: string): void {
    this.#watchers.get(path)?.close();
    this.#watchers.delete(path);
  }

  #notice(folder: string, name: string | null): void {
    if (folder === '.git' && name !== 'HEAD' && name !== 'index') return;
    const path = folder === '' ? (name ?? '') : `${folder}/${name}`;
    if (isFlowFile(path) || mayBeWorkflow(path)) this.#changed.add(path);
    else if (codeName.test(path)) this.#codeChanged = true;
    else if (folder !== '.git' && path !== settingsName && name?.includes('.')) return;
    this.#timer ??= setTimeout(() => void this.#notify(), quiet);
  }

  async #notify(): Promise<void> {
    this.#timer = undefined;
    // The listeners know which flows load a file.
    const codeFlows = this.#codeChanged ? (await listFlowPaths(this.#folder)).filter(isCodeFlow) : [];
    const changed = [...new Set([...this.#changed, ...codeFlows])].sort();
    this.#changed.clear();
    this.#codeChanged = false;
    await this.#watchFolders();
    if (!this.#closed) this.#onChange(changed);
  }
}
