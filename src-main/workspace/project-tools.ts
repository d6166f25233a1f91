import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProject } from '#main/python/find-project.ts';

const folders = ['pyflow/tools', 'tools'];
/** Larger files are not searched, in bytes. */
const largest = 1024 * 1024;
const nameOfTool = /^[ \t]+name[ \t]*(?::[^=\n]+)?=[ \t]*(['"])([A-Za-z_][\w-]*)\1/gm;

/**
 * Names of the tools that a workflow's project defines in Python, found in the text of its files: nothing of them runs. `path` is the
 * workflow's or the flow's, relative to the workspace.
 */
export function projectTools(folder: string, path: string): ReadonlySet<string> {
  const project = findProject(folder, path);
  return new Set(folders.flatMap((name) => pythonFiles(join(project, name)).flatMap(namesIn)));
}

function pythonFiles(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.py'))
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

function namesIn(file: string): string[] {
  try {
    const found = lstatSync(file);
    if (!found.isFile() || found.size > largest) return [];
    const text = readFileSync(file, 'utf8');
    return /\bdef execute\b/.test(text) ? [...text.matchAll(nameOfTool)].map((match) => match[2] as string) : [];
  } catch {
    return [];
  }
}
