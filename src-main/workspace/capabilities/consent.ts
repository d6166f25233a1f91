import { z } from 'zod';
import { FolderRecords } from '#main/platform/profile.ts';
import { type Capability, decisiveKeys } from '#shared/flow/capabilities/capability.ts';

/** The user's consents, one entry per flow and folder. Stored in the profile, never in the folder. */
const decisions = new FolderRecords('consent', z.object({ capabilities: z.array(z.string()) }));

/** Returns the keys of a flow's capabilities without consent in this folder. `flowPath` is relative to the folder. */
export async function unconfirmed(folder: string, flowPath: string, capabilities: readonly Capability[]): Promise<string[]> {
  const confirmed = new Set((await decisions.get(folder, flowPath))?.capabilities);
  return decisiveKeys(capabilities).filter((key) => !confirmed.has(key));
}

/** Whether the user has consented to the flow in this folder before, with its capabilities at that time. */
export async function wasConfirmed(folder: string, flowPath: string): Promise<boolean> {
  return (await decisions.get(folder, flowPath)) !== null;
}

/** Stores consent to these capabilities (by key), replacing earlier consent. */
export async function confirm(folder: string, flowPath: string, keys: readonly string[]): Promise<void> {
  await decisions.set(folder, { capabilities: [...keys] }, flowPath);
}

/** A flow of a folder with the keys of its consented capabilities. */
export interface Agreement {
  readonly folder: string;
  readonly flow_path: string;
  readonly keys: readonly string[];
}

/** Returns the consents of all folders, including deleted ones. */
export async function agreements(): Promise<Agreement[]> {
  return (await decisions.list()).map(({ folder, item = '', value }) => ({ folder, flow_path: item, keys: value.capabilities }));
}

/** Revokes consent to a flow, so that the user is asked before it runs again. */
export async function revokeConsent(folder: string, flowPath: string): Promise<void> {
  await decisions.remove(folder, flowPath);
}
