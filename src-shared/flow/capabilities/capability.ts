import { z } from 'zod';
import { reachSchema } from '#shared/flow/tools/reach.ts';

/** One capability of a flow. */
export const capabilitySchema = reachSchema.extend({
  /** Ids of the nodes with this capability, in flow order. */
  nodes: z.array(z.string()),
});
/** Something that the runs of a flow may use or reach: a folder, a host, a command, a model. */
export type Capability = z.infer<typeof capabilitySchema>;
export type CapabilityKind = Capability['kind'];

/** Identifies a capability in what the user has allowed. */
export function capabilityKey({ kind, name }: Pick<Capability, 'kind' | 'name'>): string {
  return `${kind} ${name}`;
}

/** Keys of the capabilities that the user must allow before a run, sorted, so that equal lists compare equal. */
export function decisiveKeys(capabilities: readonly Capability[]): string[] {
  return capabilities
    .filter(({ harmless }) => !harmless)
    .map(capabilityKey)
    .sort();
}
