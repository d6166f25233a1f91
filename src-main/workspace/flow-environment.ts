import { createHash } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { stripTypes } from '#main/engine/sandbox/strip-types.ts';
import { checkSchema } from '#main/engine/values/schema-validator.ts';
import type { FileReading, FlowEnvironment } from '#shared/flow/environment.ts';
import { toolNames } from '#shared/flow/tools/built-in-tools.ts';
import { decodeText } from './decode-text.ts';
import type { WorkspaceSettings } from './settings.ts';

export interface FlowEnvironmentOptions {
  /** Real path of the workspace. */
  readonly folder: string;
  readonly trusted: boolean;
  readonly settings: WorkspaceSettings;
  /** Names of tools in addition to the built-in ones. */
  readonly tools?: Iterable<string>;
  /** Texts of files that are not on disk, by path relative to the workspace: flows compiled from a workflow. */
  readonly overlay?: ReadonlyMap<string, string>;
}

/** An environment for building flows, with the files read through it. */
export interface RecordingEnvironment extends FlowEnvironment {
  /** Real paths of the files. */
  readonly files: ReadonlySet<string>;
  /** Texts of the files, by path relative to the workspace. */
  texts(): Map<string, string>;
}

/** Creates the environment in which the flows of a folder are built. Each file is read once, so that a build sees one version of it. */
export function flowEnvironment({ folder, trusted, settings, tools = [], overlay }: FlowEnvironmentOptions): RecordingEnvironment {
  const readings = new Map<string, FileReading>();
  const files = new Set<string>();
  return {
    files,
    texts: () => new Map([...readings].flatMap(([path, reading]) => (reading.ok ? [[path, reading.text] as const] : []))),
    trusted,
    tools: new Set([...toolNames, ...tools]),
    mcpServers: new Set(Object.keys(settings.mcp_servers)),
    checkSchema,
    stripTypes,
    sha256: (text) => createHash('sha256').update(text).digest('hex'),
    readFile(path) {
      const known = readings.get(path);
      if (known) return known;
      const text = overlay?.get(path);
      const reading: FileReading = text === undefined ? readInside(folder, path, files) : { ok: true, text };
      readings.set(path, reading);
      return reading;
    },
  };
}

function readInside(folder: string, path: string, files: Set<string>): FileReading {
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
    files.add(real);
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
