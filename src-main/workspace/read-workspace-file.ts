import { readFileSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { FileReading } from '#shared/flow/environment.ts';
import { decodeText } from './decode-text.ts';

/** Reads a text file inside a workspace. `folder` is its real path, `path` relative to it. Adds the file's real path to `files`. */
export function readWorkspaceFile(folder: string, path: string, files?: Set<string>): FileReading {
  let real: string;
  try {
    real = realpathSync.native(join(folder, path));
  } catch (error) {
    if (isMissing(error)) return { ok: false, reason: 'missing', message: "the file doesn't exist" };
    return { ok: false, reason: 'unreadable', message: messageOf(error) };
  }
  if (!real.startsWith(folder.endsWith(sep) ? folder : folder + sep))
    return { ok: false, reason: 'outside', message: 'it is outside the workspace' };
  try {
    const decoded = decodeText(readFileSync(real));
    files?.add(real);
    return decoded.ok ? { ok: true, text: decoded.text } : { ok: false, reason: 'unreadable', message: decoded.message };
  } catch (error) {
    return { ok: false, reason: 'unreadable', message: messageOf(error) };
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
