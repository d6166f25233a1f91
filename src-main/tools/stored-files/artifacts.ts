import { foldName } from '#main/platform/files/protected-names.ts';
import type { PathScope } from '#main/platform/files/resolve-path.ts';
import { serializeChanges } from '#main/platform/files/serialize-changes.ts';
import { ToolError } from '#shared/run/error.ts';
import { listStoredFiles, readStoredFile, writeStoredFile } from './stored-files.ts';

/** A named result of a run: text, or binary data as base64. Saving it again creates a new version. */
export interface Artifact {
  readonly filename: string;
  /** Starts at 0. */
  readonly version: number;
  readonly media_type: string;
  readonly content: string;
}

/** The owner of artifacts: the run or, for names that start with `user:`, the folder. */
export interface ArtifactOwner {
  readonly scope: PathScope;
  /** The run; flows that it calls share its artifacts. */
  readonly run_id: string;
}

const artifactsFolder = 'artifacts';
const userPrefix = 'user:';
/** Characters that are valid in a file name on every system. */
const acceptable = /^[\p{Letter}\p{Number}][\p{Letter}\p{Number} ._-]{0,99}$/u;

/** Saves an artifact and returns its version. Throws ToolError `Deserialize` for an invalid name, `Io`. */
export async function saveArtifact(owner: ArtifactOwner, filename: string, media_type: string, content: string): Promise<number> {
  const folder = folderOf(owner, filename);
  return serializeChanges([owner.scope.working_dir, ...folder].join('/'), async () => {
    const version = (await versionsIn(owner, folder)).length;
    await writeStoredFile(owner.scope, [...folder, `${version}.json`], `${JSON.stringify({ filename, media_type, content })}\n`);
    return version;
  });
}

/** Returns the latest or a specific version of an artifact, or null if it does not exist. */
export async function loadArtifact(owner: ArtifactOwner, filename: string, version?: number): Promise<Artifact | null> {
  const folder = folderOf(owner, filename);
  const chosen = version ?? (await versionsIn(owner, folder)).length - 1;
  const text = chosen < 0 ? null : await readStoredFile(owner.scope, [...folder, `${chosen}.json`]);
  return text === null ? null : { ...(JSON.parse(text) as Omit<Artifact, 'version'>), version: chosen };
}

/** Lists the run's artifacts, then the folder's, with their number of versions. */
export async function listArtifacts(owner: ArtifactOwner): Promise<{ filename: string; versions: number }[]> {
  const roots = [rootOf(owner, ''), rootOf(owner, userPrefix)];
  const lists = await Promise.all(
    roots.map(async (root) => {
      const names = await listStoredFiles(owner.scope, root);
      return Promise.all(names.map((name) => versionsOf(owner, [...root, name])));
    }),
  );
  return lists.flat().filter((artifact) => artifact !== null);
}

async function versionsOf(owner: ArtifactOwner, folder: readonly string[]): Promise<{ filename: string; versions: number } | null> {
  const versions = (await versionsIn(owner, folder)).length;
  const text = versions === 0 ? null : await readStoredFile(owner.scope, [...folder, '0.json']);
  return text === null ? null : { filename: (JSON.parse(text) as Artifact).filename, versions };
}

async function versionsIn({ scope }: ArtifactOwner, folder: readonly string[]): Promise<string[]> {
  return (await listStoredFiles(scope, folder)).filter((name) => /^\d+\.json$/.test(name));
}

function folderOf(owner: ArtifactOwner, filename: string): string[] {
  const name = filename.startsWith(userPrefix) ? filename.slice(userPrefix.length) : filename;
  if (!acceptable.test(name) || name.endsWith('.')) {
    throw new ToolError(
      'Deserialize',
      `${JSON.stringify(filename)} is not a valid artifact name. Use only letters, digits, spaces and ._-, without folders.`,
      {
        details: { field: 'filename' },
      },
    );
  }
  // Names that a file system treats as equal refer to the same artifact.
  return [...rootOf(owner, filename), foldName(name)];
}

function rootOf({ run_id: runId }: ArtifactOwner, filename: string): string[] {
  return filename.startsWith(userPrefix)
    ? [artifactsFolder, 'user']
    : [artifactsFolder, 'runs', (runId.split('/')[0] as string).replace(/[^\w-]/g, '_')];
}
