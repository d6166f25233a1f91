import type { CapabilityKind } from '#shared/flow/capabilities/capability.ts';
import { capabilityKinds } from '#shared/flow/tools/reach.ts';
import { texts } from './texts.ts';

/** Headings of the kinds of capabilities. */
export const capabilityHeadings: Readonly<Record<CapabilityKind, string>> = texts.headings;

/** The name of a capability as it is shown. */
export function capabilityName(name: string): string {
  return name === '*' ? texts.anyHost : name;
}

/** Names of the allowed capabilities by kind, in display order. `keys` are `kind name`. */
export function allowedByHeading(keys: readonly string[]): { readonly heading: string; readonly names: readonly string[] }[] {
  return capabilityKinds.flatMap((kind) => {
    const names = keys.filter((key) => key.startsWith(`${kind} `)).map((key) => capabilityName(key.slice(kind.length + 1)));
    return names.length === 0 ? [] : [{ heading: capabilityHeadings[kind], names }];
  });
}
