import { z } from 'zod';
import { FolderRecords } from '#main/workspace/profile.ts';
import { type Capability, decisiveKeys } from '#shared/flow/capabilities/capability.ts';

/** What the user has agreed to, one entry for each flow of each folder. In the profile, never in the folder. */
const decisions = new FolderRecords('consent', z.object({ capabilities: z.array(z.string()) }));

/** Keys of those capabilities of a flow that nobody has agreed to in this folder. `flowPath` is relative to the folder. */
export async function unconfirmed(folder: string, flowPath: string, capabilities: readonly Capability[]): Promise<string[]> {
  const confirmed = new Set((await decisions.get(folder, flowPath))?.capabilities);
  return decisiveKeys(capabilities).filter((key) => !confirmed.has(key));
}

/** Whether the flow was agreed to in this folder before, with whatever it could reach then. */
export async function wasConfirmed(folder: string, flowPath: string): Promise<boolean> {
  return (await decisions.get(folder, flowPath)) !== null;
}

/** Remembers that the user has agreed to these capabilities (by key), in place of what was agreed to before. */
export async function confirm(folder: string, flowPath: string, keys: readonly string[]): Promise<void> {
  await decisions.set(folder, { capabilities: [...keys] }, flowPath);
}
