import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { openApiToolsSchema } from '#shared/openapi/openapi-settings.ts';

/** The file with the settings of a PyFlow project. */
export const projectFile = 'pyflow.yaml';

const projectSchema = z.looseObject({ openapi_tools: openApiToolsSchema.nullish() });

/** What a `pyflow.yaml` says, or what is wrong with it. */
export type PyflowProject = { readonly openapi_tools: z.infer<typeof openApiToolsSchema> } | { readonly error: unknown };

/** Reads `pyflow.yaml` of a folder; null without one. PyFlow has other versions of this file, so other keys are accepted. */
export function readProject(folder: string): PyflowProject | null {
  const file = join(folder, projectFile);
  if (!existsSync(file)) return null;
  try {
    const project = projectSchema.safeParse(parse(readFileSync(file, 'utf8'), { logLevel: 'silent' }) ?? {});
    return project.success ? { openapi_tools: project.data.openapi_tools ?? {} } : { error: project.error };
  } catch (error) {
    return { error };
  }
}

/** Whether a workflow belongs to a project of the newest PyFlow: a `pyflow.yaml` is beside it or above it, inside the workspace. */
export function isNewestPyflow(folder: string, path: string): boolean {
  const own = dirname(join(folder, path));
  if (own !== folder && !own.startsWith(folder + sep)) return existsSync(join(folder, projectFile));
  for (let place = own; ; place = dirname(place)) {
    if (existsSync(join(place, projectFile))) return true;
    if (place === folder) return false;
  }
}
