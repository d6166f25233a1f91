import { createHash } from 'node:crypto';
// Its build for Node declares `require`, as the shim of bundled code does; the other one has the same functions.
import { type UnzipFileInfo, unzipSync, zipSync } from 'fflate/browser';
import { z } from 'zod';
import { resolveWorkspacePath } from '#shared/flow/workspace-path.ts';
import { FlowError } from '#shared/run/error.ts';

/** A flow with everything that it needs to run elsewhere. */
export interface Bundle {
  /** Path of the flow among the files. */
  readonly flow: string;
  /** Contents by path; `pravah.json` is at the top. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** Most bytes of a bundle, packed and unpacked, and most files. */
export const mostPacked: number = 64 * 1024 * 1024;
const mostUnpacked = 256 * 1024 * 1024;
const mostFiles = 1000;
/** How many times larger a file may be than its packed form, beyond the first megabyte: more is an attack. */
const mostRatio = 100;

const manifestName = 'bundle.json';
const filesFolder = 'files/';
const manifestSchema = z.strictObject({ pravah_bundle: z.literal(1), flow: z.string().min(1) });

/** Names a bundle: SHA-256 (hex) of its paths and contents, however it is packed. */
export function bundleHash({ flow, files }: Bundle): string {
  const entries = [...files].map(([path, bytes]) => [path, createHash('sha256').update(bytes).digest('hex')]);
  return createHash('sha256')
    .update(JSON.stringify([flow, entries.sort()]))
    .digest('hex');
}

/** Packs a bundle. Equal bundles become equal bytes. */
export function packBundle({ flow, files }: Bundle): Uint8Array {
  const manifest = Buffer.from(`${JSON.stringify({ pravah_bundle: 1, flow })}\n`);
  const sorted = [...files].sort(([one], [other]) => (one < other ? -1 : 1)).map(([path, bytes]) => [filesFolder + path, bytes] as const);
  // A zip has no time before 1980, in the zone of the machine.
  return zipSync(Object.fromEntries([[manifestName, manifest], ...sorted]), { level: 6, mtime: new Date(1980, 0, 1) });
}

/** Unpacks a bundle that anyone may have made. Throws `FlowError` `Invalid`. */
export function readBundle(packed: Uint8Array): Bundle {
  let unpacked = 0;
  let count = 0;
  const filter = ({ name, size, originalSize }: UnzipFileInfo): boolean => {
    unpacked += originalSize;
    count += 1;
    if (count > mostFiles + 1) throw invalid(`it has more than ${mostFiles} files`);
    if (unpacked > mostUnpacked || originalSize > size * mostRatio + 1024 * 1024) throw invalid(`${name} is too large unpacked`);
    if (name !== manifestName && !isPlain(name)) throw invalid(`it has a file outside of ${filesFolder}: ${name.slice(0, 100)}`);
    return true;
  };
  const entries = Object.entries(unzip(packed, filter));
  const manifest = readManifest(entries.find(([name]) => name === manifestName)?.[1]);
  const files = new Map(entries.filter(([name]) => name !== manifestName).map(([name, bytes]) => [name.slice(filesFolder.length), bytes]));
  if (!files.has(manifest.flow)) throw invalid(`its flow ${manifest.flow} is missing`);
  return { flow: manifest.flow, files };
}

function unzip(packed: Uint8Array, filter: (file: UnzipFileInfo) => boolean): Record<string, Uint8Array> {
  try {
    return unzipSync(packed, { filter });
  } catch (error) {
    throw error instanceof FlowError ? error : invalid('it is not a zip file');
  }
}

/** Whether a name is a path below the folder of files that means the same on every system. */
function isPlain(name: string): boolean {
  const path = name.slice(filesFolder.length);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: names with them are refused
  return name.startsWith(filesFolder) && resolveWorkspacePath('', path) === path && !/[\\:\x00-\x1f]|^\.pravah(\/|$)/i.test(path);
}

function readManifest(bytes: Uint8Array | undefined): z.infer<typeof manifestSchema> {
  try {
    return manifestSchema.parse(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    throw invalid(`its ${manifestName} is missing or not valid`);
  }
}

function invalid(why: string): FlowError {
  return new FlowError('Invalid', `This is not a bundle of a flow: ${why}. Make one with: pravah deploy.`);
}
