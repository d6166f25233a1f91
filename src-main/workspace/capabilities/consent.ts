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

/** A flow of a folder with what was agreed to of it, by key. */
export interface Agreement {
  readonly folder: string;
  readonly flow_path: string;
  readonly keys: readonly string[];
}

/** All that was agreed to, in all folders, those that have gone included. */
export async function agreements(): Promise<Agreement[]> {
  return (await decisions.list()).map(({ folder, item = '', value }) => ({ folder, flow_path: item, keys: value.capabilities }));
}

/** Forgets that a flow was agreed to: it is asked about before it runs again. */
export async function withdrawAgreement(folder: string, flowPath: string): Promise<void> {
  await decisions.remove(folder, flowPath);
}
