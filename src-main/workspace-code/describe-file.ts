import { readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import type { z } from 'zod';
import type { ModuleError } from '#main/engine/ports/code-process.ts';
import { stripTypes } from '#main/sandbox/strip-types.ts';
import type { Problem } from '#shared/flow/problem.ts';
import { readModuleExports } from '#shared/flow/source/module-exports.ts';
import { faultIn, problemListSchema } from './description-schemas.ts';
import type { ModuleRequest } from './messages.ts';
import { ModuleProcess } from './module-process.ts';

/** Maximum output while a file is loaded, in bytes. */
const mostPrinted = 4096;
/** Time limit for loading a file, in seconds. */
const loadingPatience = 15;

/** The description of a file, or why it failed, phrased to follow the file's name. */
export type Description<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly message: string; readonly problems?: readonly Problem[] };

/**
 * Loads a file of a trusted workspace (`folder`, a real path) in its own process, which then ends, and returns its description. If the file
 * throws, exits or does not finish, the message says so.
 */
export async function describeFile<T>(
  folder: string,
  request: Extract<ModuleRequest, { type: 'describe_flow' | 'describe_tool' }>,
  schema: z.ZodType<T>,
  patience = loadingPatience,
): Promise<Description<T>> {
  const child = new ModuleProcess(folder, mostPrinted);
  const timer = setTimeout(
    () => child.dispose(`it did not finish loading within ${patience} seconds. Check for a loop or a wait outside its functions`),
    patience * 1000,
  );
  try {
    const outcome = await child.request(request);
    if ('error' in outcome) return refusal(folder, request.file, outcome.error);
    const value = 'value' in outcome ? outcome.value : undefined;
    const fault = faultIn(schema, value);
    return fault === null ? { ok: true, value: value as T } : { ok: false, message: `its description is invalid: ${fault}` };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  } finally {
    clearTimeout(timer);
    child.dispose();
  }
}

function refusal(folder: string, file: string, error: ModuleError): Description<never> {
  const named = error.name === undefined || error.name === 'Error' || error.name === 'FlowError' ? '' : `${error.name}: `;
  const message = `${named}${error.message}${placeIn(folder, file, error)}`.replaceAll(`${folder}${sep}`, '').replaceAll('file://', '');
  const problems = problemListSchema.safeParse(error.problems);
  return { ok: false, message, ...(problems.success && { problems: problems.data }) };
}

/** The location in the workspace where an error was thrown, as the end of a sentence. */
function placeIn(folder: string, file: string, { name, stack = '' }: ModuleError): string {
  // Node prints file and line above a syntax error, and `file:///…:LINE:COLUMN` in each line of a stack.
  const above = /^(\/[^\n]+):(\d+)\n/.exec(stack);
  const inStack = [...stack.matchAll(/file:\/\/(\/[^\s:)]+):(\d+)/g)].map(([, path = '', line]) => [decodeURI(path), line] as const);
  for (const [path, line] of above ? [[above[1] ?? '', above[2]] as const] : inStack) {
    if (path === file) return `, line ${line}`;
    if (path.startsWith(folder + sep)) return `, in ${relative(folder, path)}, line ${line}`;
  }
  // For plain JavaScript, Node does not report the location.
  if (name !== 'SyntaxError') return '';
  const read = readModuleExports(readFileSync(file, 'utf8'), stripTypes);
  return read.ok ? '' : `, line ${read.fault.line}`;
}
