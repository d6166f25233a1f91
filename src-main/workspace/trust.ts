import { z } from 'zod';
import { FolderRecords } from './profile.ts';

const decisions = new FolderRecords('trust', z.object({ trusted: z.boolean() }));

/** Whether the user has said that this folder's own code and commands may run. Kept in the profile by real path, never in the folder. */
export async function isTrusted(folder: string): Promise<boolean> {
  return (await decisions.get(folder))?.trusted ?? false;
}

/** Real paths of the folders that are trusted, those that have gone included. */
export async function trustedFolders(): Promise<string[]> {
  return (await decisions.list()).filter(({ value }) => value.trusted).map(({ folder }) => folder);
}

/** Trust can be taken back from a folder that has gone, too. */
export async function setTrusted(folder: string, trusted: boolean): Promise<void> {
  if (trusted) await decisions.set(folder, { trusted });
  else await decisions.remove(folder);
}
