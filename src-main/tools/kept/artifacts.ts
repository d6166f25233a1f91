import { oneChangeAtATime } from '#main/tools/files/one-change-at-a-time.ts';
import { foldName } from '#main/tools/files/protected-names.ts';
import type { PathScope } from '#main/tools/files/resolve-path.ts';
import { ToolError } from '#shared/runtime/error.ts';
import { listKept, readKept, writeKept } from './kept-files.ts';

/** Something that a run has made and named: text, or base64 of anything else. Saving it again makes a new version. */
export interface Artifact {
  readonly filename: string;
  /** From 0. */
  readonly version: number;
  readonly media_type: string;
  readonly content: string;
}

/** Whose artifacts they are: the run's, or, for names that begin with `user:`, the folder's. */
export interface ArtifactOwner {
  readonly scope: PathScope;
  /** The run; a flow that it calls shares its artifacts. */
  readonly run_id: string;
}

const ROOT = 'artifacts';
const USER = 'user:';
/** A name's characters, so that it is a file name everywhere. */
const acceptable = /^[\p{Letter}\p{Number}][\p{Letter}\p{Number} ._-]{0,99}$/u;

/** Keeps an artifact and returns its version. Throws ToolError `Deserialize` for a name that is none, `Io`. */
export async function saveArtifact(owner: ArtifactOwner, filename: string, media_type: string, content: string): Promise<number> {
  const folder = folderOf(owner, filename);
  return oneChangeAtATime([owner.scope.working_dir, ...folder].join('/'), async () => {
    const version = (await versionsIn(owner, folder)).length;
    await writeKept(owner.scope, [...folder, `${version}.json`], `${JSON.stringify({ filename, media_type, content })}\n`);
    return version;
  });
}

/** An artifact in its latest version, or in a given one; null where there is none. */
export async function loadArtifact(owner: ArtifactOwner, filename: string, version?: number): Promise<Artifact | null> {
  const folder = folderOf(owner, filename);
  const chosen = version ?? (await versionsIn(owner, folder)).length - 1;
  const text = chosen < 0 ? null : await readKept(owner.scope, [...folder, `${chosen}.json`]);
  return text === null ? null : { ...(JSON.parse(text) as Omit<Artifact, 'version'>), version: chosen };
}

/** Names of the run's artifacts, then of the folder's, each with its number of versions. */
export async function listArtifacts(owner: ArtifactOwner): Promise<{ filename: string; versions: number }[]> {
  const roots = [rootOf(owner, ''), rootOf(owner, USER)];
  const lists = await Promise.all(
    roots.map(async (root) => {
      const names = await listKept(owner.scope, root);
      return Promise.all(names.map((name) => versionsOf(owner, [...root, name])));
    }),
  );
  return lists.flat().filter((artifact) => artifact !== null);
}

async function versionsOf(owner: ArtifactOwner, folder: readonly string[]): Promise<{ filename: string; versions: number } | null> {
  const versions = (await versionsIn(owner, folder)).length;
  const text = versions === 0 ? null : await readKept(owner.scope, [...folder, '0.json']);
  return text === null ? null : { filename: (JSON.parse(text) as Artifact).filename, versions };
}

async function versionsIn({ scope }: ArtifactOwner, folder: readonly string[]): Promise<string[]> {
  return (await listKept(scope, folder)).filter((name) => /^\d+\.json$/.test(name));
}

function folderOf(owner: ArtifactOwner, filename: string): string[] {
  const name = filename.startsWith(USER) ? filename.slice(USER.length) : filename;
  if (!acceptable.test(name) || name.endsWith('.')) {
    throw new ToolError(
      'Deserialize',
      `${JSON.stringify(filename)} is no name of an artifact: letters, digits, spaces and ._- only, no folders`,
      {
        details: { field: 'filename' },
      },
    );
  }
  // Two names that a file system takes for one are one artifact.
  return [...rootOf(owner, filename), foldName(name)];
}

function rootOf({ run_id }: ArtifactOwner, filename: string): string[] {
  return filename.startsWith(USER) ? [ROOT, 'user'] : [ROOT, 'runs', (run_id.split('/')[0] as string).replace(/[^\w-]/g, '_')];
}
