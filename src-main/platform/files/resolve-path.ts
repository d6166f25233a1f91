import { lstat, readlink, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path';
import type { Context } from '#main/engine/ports/context.ts';
import { ToolError } from '#shared/run/error.ts';
import { compileGlob } from './glob.ts';
import { ioError } from './io-error.ts';
import { type Protection, protectionByName } from './protected-names.ts';

/** The part of a context that decides which paths tools may access, and records the files that they write. */
export type PathScope = Pick<Context, 'working_dir' | 'writable' | 'protected_files'> & Partial<Pick<Context, 'keepFile' | 'secrets'>>;

/** A path inside the workspace. */
export interface ResolvedPath {
  /** As the caller wrote it; used in results and errors. */
  readonly raw: string;
  /** Segments below `working_dir` with all links resolved. Empty for the folder itself. */
  readonly segments: readonly string[];
  readonly real: string;
  readonly protection: Protection;
}

const longestPath = 4096;
const mostLinks = 40;

/**
 * Resolves a path relative to the working folder, even if it does not exist yet, and checks where it really leads. Throws ToolError
 * `PathEscape` for anything outside: `..`, absolute paths, links (including dangling ones), other spellings of a separator.
 */
export async function resolvePath(scope: PathScope, raw: string): Promise<ResolvedPath> {
  if (raw.includes('\0')) throw pathEscape(raw, 'it contains a NUL character');
  if (raw.includes('\\')) throw pathEscape(raw, 'write / between folders, not \\');
  if (Buffer.byteLength(raw) > longestPath) throw new ToolError('Io', `The path is longer than ${longestPath} bytes.`);
  const wanted = resolve(scope.working_dir, raw);
  const named = segmentsBelow(scope.working_dir, wanted);
  // An absolute path may use another name of the working folder, so check where it leads.
  if (!named && !isAbsolute(raw)) throw pathEscape(raw, 'it leads outside the working folder');
  const real = await followLinks(wanted).catch((error: unknown) => {
    throw ioError(raw, error);
  });
  const segments = segmentsBelow(scope.working_dir, real);
  if (!segments) throw pathEscape(raw, named ? 'a link leads outside the working folder' : 'it is outside the working folder');
  return { raw, segments, real, protection: protectionOf(scope, segments, named ?? segments, real) };
}

/** Like `resolvePath`, for reading: `.env` files are `Denied`. */
export async function resolveReadable(scope: PathScope, raw: string): Promise<ResolvedPath> {
  const path = await resolvePath(scope, raw);
  if (path.protection === 'secret') throw new ToolError('Denied', `${JSON.stringify(raw)} may contain secrets; tools cannot read it.`);
  return path;
}

/** Like `resolvePath`, for writing: protected files are `Denied` unless the workspace lists them as writable. */
export async function resolveWritable(scope: PathScope, raw: string): Promise<ResolvedPath> {
  const path = await resolvePath(scope, raw);
  if (path.protection === 'open' || (await isListedWritable(scope, path))) return path;
  throw new ToolError(
    'Denied',
    `${JSON.stringify(raw)} is protected, so tools cannot write it. To allow writes with approval, list it under "writable" in pravah.json.`,
  );
}

/** Whether each write to this path needs approval: it is protected, and `pravah.json` lists it as writable. */
export async function isListedWritable(scope: PathScope, path: ResolvedPath): Promise<boolean> {
  if (path.protection === 'open') return false;
  const place = path.segments.join('/');
  const patterns = await Promise.all(scope.writable.map(compileGlob));
  return patterns.some((matches) => matches(place));
}

/** The strictest protection by the names on the path (as written and resolved) and by the files that the workspace loads as code. */
function protectionOf(scope: PathScope, real: readonly string[], named: readonly string[], path: string): Protection {
  const byName = [protectionByName(real), protectionByName(named)];
  if (byName.includes('secret')) return 'secret';
  return byName.includes('read_only') || scope.protected_files.has(path) ? 'read_only' : 'open';
}

function segmentsBelow(root: string, path: string): string[] | null {
  const way = relative(root, path);
  if (way === '') return [];
  const segments = way.split(sep);
  return isAbsolute(way) || segments[0] === '..' ? null : segments;
}

/**
 * Resolves all links of a path one by one, whether or not the target exists. `realpath` fails for paths that do not exist yet, so a dangling
 * link would be checked by its own name instead of its target's.
 */
async function followLinks(path: string): Promise<string> {
  const { root } = parse(path);
  let pending = path.slice(root.length).split(sep);
  let place = root;
  let existing = root;
  for (let links = 0; ; ) {
    const segment = pending.shift();
    if (segment === undefined) break;
    if (segment === '' || segment === '.') continue;
    if (segment === '..') {
      place = dirname(place);
      continue;
    }
    const next = join(place, segment);
    const found = await lstat(next).catch(absent);
    if (found?.isSymbolicLink()) {
      if (++links > mostLinks) throw Object.assign(new Error('too many links'), { code: 'ELOOP' });
      const target = await readlink(next);
      if (isAbsolute(target)) place = parse(target).root;
      pending = [...target.slice(isAbsolute(target) ? place.length : 0).split(sep), ...pending];
      continue;
    }
    place = next;
    if (found) existing = next;
  }
  // Resolve again with realpath: it also knows other spellings of a name (case, short names) on disks that have them.
  if (place !== existing && !place.startsWith(existing.endsWith(sep) ? existing : existing + sep)) return place;
  return join(await realpath(existing), relative(existing, place));
}

function absent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
  throw error;
}

function pathEscape(raw: string, reason: string): ToolError {
  return new ToolError('PathEscape', `${JSON.stringify(raw)} is not allowed: ${reason}.`, { details: { path: raw } });
}
