import { z } from 'zod';
import { FolderRecords } from './profile.ts';

const decisions = new FolderRecords('trust', z.object({ trusted: z.boolean() }));

/** Whether the user has said that this folder's own code and commands may run. Kept in the profile by real path, never in the folder. */
export async function isTrusted(folder: string): Promise<boolean> {
  return (await decisions.get(folder))?.trusted ?? false;
}

export async function setTrusted(folder: string, trusted: boolean): Promise<void> {
  await decisions.set(folder, { trusted });
}
