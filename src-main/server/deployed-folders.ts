import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { DeployedFlowStore, DeployedVersionRow } from '#main/store/server-store.ts';
import { type Bundle, readBundle } from '#main/workspace/bundle/bundle.ts';
import { setTrusted } from '#main/workspace/trust.ts';
import { FlowError } from '#shared/run/error.ts';

/** What the store calls the journal of a deployed version. */
export function deployedKey({ name, version }: Pick<DeployedVersionRow, 'name' | 'version'>): string {
  return `flow:${name}@${version}`;
}

/** Reads what `deployedKey` has written; null for a folder. */
export function deployedVersion(key: string): { readonly name: string; readonly version: number } | null {
  const found = key.startsWith('flow:') ? nameAndVersion(key.slice('flow:'.length)) : null;
  return found && found.version !== null ? { name: found.name, version: found.version } : null;
}

/** Reads the name of a deployed flow, `NAME` or `NAME@VERSION`; null for what can only be a path. */
export function nameAndVersion(text: string): { readonly name: string; readonly version: number | null } | null {
  const [, name, version] = /^([A-Za-z0-9][A-Za-z0-9_-]{0,63})(?:@([1-9]\d{0,8}))?$/.exec(text) ?? [];
  return name === undefined ? null : { name, version: version === undefined ? null : Number(version) };
}

export interface DeployedFoldersOptions {
  readonly store: DeployedFlowStore;
  /** Folder in which bundles are unpacked, and runs have folders of their own. */
  readonly folder: string;
  /** Whether deployed flows may run their own code, programs and servers. */
  readonly trusted: boolean;
}

/** Where deployed flows are on this machine: each version in a folder of its own, and each of its runs in a copy of that. */
export class DeployedFolders {
  readonly #store: DeployedFlowStore;
  readonly #folder: string;
  readonly trusted: boolean;

  constructor({ store, folder, trusted }: DeployedFoldersOptions) {
    this.#store = store;
    this.#folder = folder;
    this.trusted = trusted;
  }

  /** The version that new runs of a name take, `NAME` or `NAME@VERSION`; null if nothing is deployed under it. */
  async find(text: string): Promise<DeployedVersionRow | null> {
    const wanted = nameAndVersion(text);
    if (!wanted) return null;
    const active = await this.#store.active(wanted.name);
    return active && wanted.version !== null ? this.#store.version(wanted.name, wanted.version) : active;
  }

  version(name: string, version: number): Promise<DeployedVersionRow | null> {
    return this.#store.version(name, version);
  }

  /** Unpacks a version if it is not there yet. Returns the real path of its folder. */
  async unpack(row: DeployedVersionRow): Promise<string> {
    const folder = join(this.#folder, 'flows', row.name, `${row.version}-${row.hash.slice(0, 16)}`);
    if (!existsSync(folder)) {
      const packed = await this.#store.packed(row.hash);
      if (!packed) throw new FlowError('SnapStoreError', `The bundle of ${row.name}@${row.version} is missing in the store.`);
      await this.#write(readBundle(packed), folder);
    }
    const real = await realpath(folder);
    await setTrusted(real, this.trusted);
    return real;
  }

  /** Unpacks a bundle for `act`, and removes it afterwards. */
  async withUnpacked<Result>(bundle: Bundle, act: (folder: string) => Promise<Result>): Promise<Result> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const folder = await realpath(await mkdtemp(join(this.#folder, 'check-')));
    try {
      await writeFiles(bundle, folder);
      return await act(folder);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** The folder in which a run's tools work: a copy of its flow's files, which no other run sees. Made when it is first asked for. */
  async folderOfRun(runId: string, flowFolder: string): Promise<string> {
    const folder = join(this.#folder, 'runs', runId);
    if (!existsSync(folder)) {
      const copy = `${folder}.new`;
      await rm(copy, { recursive: true, force: true });
      await cp(flowFolder, copy, { recursive: true, filter: (source) => source !== join(flowFolder, '.pravah') });
      await rename(copy, folder);
    }
    return realpath(folder);
  }

  async removeFolderOfRun(runId: string): Promise<void> {
    await rm(join(this.#folder, 'runs', runId), { recursive: true, force: true });
  }

  async #write(bundle: Bundle, folder: string): Promise<void> {
    await mkdir(dirname(folder), { recursive: true, mode: 0o700 });
    const made = await mkdtemp(`${folder}-`);
    await writeFiles(bundle, made);
    await rename(made, folder).catch(async (error: unknown) => {
      // Another request has unpacked it.
      await rm(made, { recursive: true, force: true });
      if (!existsSync(folder)) throw error;
    });
  }
}

async function writeFiles({ files }: Bundle, folder: string): Promise<void> {
  for (const [path, bytes] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true, mode: 0o700 });
    await writeFile(join(folder, path), bytes, { mode: 0o600 });
  }
}
