import { z } from 'zod';

/** Sorts of things that a flow can reach, in the order in which people read them. */
export const capabilityKinds = ['model', 'host', 'secret', 'command', 'code', 'mcp', 'write', 'read', 'tool', 'unasked'] as const;

/** One thing that a flow can reach. */
export const capabilitySchema = z.object({
  kind: z.enum(capabilityKinds),
  /** What it is, exactly; with the kind it stands for the thing in what a person has confirmed. */
  name: z.string(),
  /** What that means, where the name does not say it. */
  note: z.string().optional(),
  /** Nobody needs to be asked about it: it touches nothing outside the run, or only this machine's own computing. */
  harmless: z.boolean(),
  /** Ids of the nodes that can, in the order of the flow. */
  nodes: z.array(z.string()),
});
export type Capability = z.infer<typeof capabilitySchema>;
export type CapabilityKind = Capability['kind'];

/** Stands for a capability in what a person has confirmed. */
export function capabilityKey({ kind, name }: Pick<Capability, 'kind' | 'name'>): string {
  return `${kind} ${name}`;
}

/** The capabilities that must be confirmed before a run, by their keys, in order: equal lists are equal texts. */
export function decisiveKeys(capabilities: readonly Capability[]): string[] {
  return capabilities
    .filter(({ harmless }) => !harmless)
    .map(capabilityKey)
    .sort();
}
