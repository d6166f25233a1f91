import { z } from 'zod';

/** Kinds of capabilities, in display order. */
export const capabilityKinds = ['model', 'host', 'secret', 'command', 'code', 'mcp', 'write', 'read', 'tool', 'unasked'] as const;

/** One capability of a flow. */
export const capabilitySchema = z.object({
  kind: z.enum(capabilityKinds),
  /** The exact resource. Together with the kind, it identifies the capability in what the user has allowed. */
  name: z.string(),
  /** Explains the name if it is not self-explanatory. */
  note: z.string().optional(),
  /** Needs no consent: it touches nothing outside the run, or only computes on this machine. */
  harmless: z.boolean(),
  /** Ids of the nodes with this capability, in flow order. */
  nodes: z.array(z.string()),
});
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
