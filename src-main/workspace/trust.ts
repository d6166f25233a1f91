import { z } from 'zod';
import { FolderRecords } from '#main/platform/profile.ts';

const decisions = new FolderRecords('trust', z.object({ trusted: z.boolean() }));

/** Whether the user has allowed this folder's own code and commands to run. Stored in the profile by real path, never in the folder. */
export async function isTrusted(folder: string): Promise<boolean> {
  return (await decisions.get(folder))?.trusted ?? false;
}

/** Returns the real paths of trusted folders, including deleted ones. */
export async function trustedFolders(): Promise<string[]> {
  return (await decisions.list()).filter(({ value }) => value.trusted).map(({ folder }) => folder);
}

/** Trust can also be revoked from a deleted folder. */
export async function setTrusted(folder: string, trusted: boolean): Promise<void> {
  if (trusted) await decisions.set(folder, { trusted });
  else await decisions.remove(folder);
}
