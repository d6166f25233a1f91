import { cp, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { makeProfileFolder, profileFolder } from '#main/platform/profile.ts';
import { type ExampleName, examples } from '#shared/contract/examples.ts';
import { resourcesFolder } from './resources.ts';
import { setTrusted } from './trust.ts';

/** The workspace that the studio opens at its first start. */
const firstExample = 'release-notes' satisfies ExampleName;

/** Whether a folder (by its real path) is one of the bundled examples. */
export function isExample(folder: string): boolean {
  return folder.startsWith(join(profileFolder(), 'examples') + sep);
}

/**
 * Copies the examples that are missing into the user's data folder, gives the first a git history to work on, and trusts
 * them, since they are ours. Returns the folder of `wanted`. Without git the example still exists, and its first command reports the missing git.
 */
export async function installExamples(wanted: ExampleName = firstExample): Promise<string> {
  const home = await makeProfileFolder('examples');
  for (const { name } of examples) if (!(await exists(join(home, name)))) await install(name, home);
  return join(home, wanted);
}

/** Copies to a temporary folder first, so that an existing example is always complete. */
async function install(name: string, home: string): Promise<void> {
  const source = join(resourcesFolder(), 'examples');
  const copy = await mkdtemp(join(home, '.copy-'));
  try {
    await cp(join(source, name), copy, { recursive: true });
    if (name === firstExample) await makeHistory(join(source, 'make-release-history.mjs'), copy);
    await rename(copy, join(home, name));
  } catch (error) {
    await rm(copy, { recursive: true, force: true });
    throw error;
  }
  await setTrusted(join(home, name), true);
}

async function makeHistory(script: string, folder: string): Promise<void> {
  const { makeHistory } = (await import(/* @vite-ignore */ pathToFileURL(script).href)) as { makeHistory(folder: string): void };
  try {
    makeHistory(folder);
  } catch {
    await rm(join(folder, '.git'), { recursive: true, force: true });
  }
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
