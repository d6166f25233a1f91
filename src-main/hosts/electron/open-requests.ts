import { resolve } from 'node:path';
import { isFlowFile } from '#shared/flow/flow-file.ts';

/** An external request to open a folder, a flow file, or a run that is waiting for an answer. */
export type OpenRequest =
  | { readonly type: 'folder'; readonly folder: string }
  | { readonly type: 'flow'; readonly file: string }
  | { readonly type: 'run'; readonly run_id: string };

/** Such a link can only show a run, not answer it. */
const runLink = /^pravah:\/\/run\/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\/?$/i;

/** Reads a `pravah://run/ID` link; null for anything else, queries and fragments included. */
export function requestOfLink(link: string): OpenRequest | null {
  const id = runLink.exec(link)?.[1];
  return id === undefined ? null : { type: 'run', run_id: id.toLowerCase() };
}

/**
 * Reads a command line (without the program): `--folder DIR`, a flow file or a link among switches. The first that is there
 * counts. Paths are relative to `cwd`.
 */
export function requestOfArguments(args: readonly string[], cwd: string): OpenRequest | null {
  const at = args.indexOf('--folder');
  const folder = at < 0 ? undefined : args[at + 1];
  if (folder !== undefined && folder !== '') return { type: 'folder', folder: resolve(cwd, folder) };
  for (const argument of args) {
    if (argument.startsWith('-')) continue;
    const link = requestOfLink(argument);
    if (link) return link;
    if (isFlowFile(argument)) return { type: 'flow', file: resolve(cwd, argument) };
  }
  return null;
}
