import { stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { resolvePath } from '#main/platform/files/resolve-path.ts';
import { walkFiles } from '#main/platform/files/walk-files.ts';
import type { ImportableFile } from '#shared/contract/flows.ts';
import { isFlowFile } from '#shared/flow/flow-file.ts';
import { foreignFormats } from '#shared/import/read-foreign.ts';
import { recogniseForeign } from './import-foreign.ts';
import { readImportText } from './import-texts.ts';
import { isWorkflowText } from './workflow-file.ts';

const extensions: ReadonlySet<string> = new Set(['.yaml', '.yml', '.json', '.ts', '.mts', '.js', '.mjs']);
/** Larger files are not looked at, in bytes. */
const largest = 4 * 1024 * 1024;
const mostLookedAt = 5000;
/** Words that a file of a known tool contains: parsing every file of a folder would be slow. */
const marks = /\borchestration\b|\bworkflow\b|"nodes"|@openai\/agents/;

/** Files of a folder that can be imported as flows, and the tools that wrote them. */
export async function importableFiles(folder: string, signal: AbortSignal): Promise<ImportableFile[]> {
  const scope = { working_dir: folder, writable: [], protected_files: new Set<string>() };
  const found: ImportableFile[] = [];
  let seen = 0;
  for await (const segments of walkFiles(scope, await resolvePath(scope, '.'), signal)) {
    const path = segments.join('/');
    if (!extensions.has(extname(path)) || isFlowFile(path) || segments.includes('node_modules')) continue;
    if (++seen > mostLookedAt) break;
    const tool = await toolOf(folder, path);
    if (tool !== null) found.push({ path, tool });
  }
  return found.sort((one, other) => (one.path < other.path ? -1 : 1));
}

async function toolOf(folder: string, path: string): Promise<string | null> {
  const file = join(folder, path);
  try {
    if ((await stat(file)).size > largest) return null;
    const text = readImportText(file);
    if (!marks.test(text)) return null;
    if (isWorkflowText(path, text)) return 'PyFlow';
    const source = recogniseForeign(file);
    return source && foreignFormats[source.format];
  } catch {
    return null;
  }
}
