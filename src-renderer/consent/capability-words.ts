import { type CapabilityKind, capabilityKinds } from '#shared/flow/capabilities/capability.ts';

/** What the capabilities of a kind let a flow do. */
export const capabilityHeadings: Readonly<Record<CapabilityKind, string>> = {
  model: 'Send what it works on to models',
  host: 'Reach hosts',
  secret: 'Use secrets',
  command: 'Run commands',
  code: 'Run code of this folder outside the sandbox',
  mcp: 'Use MCP servers',
  write: 'Change files',
  read: 'Read files',
  tool: 'Call tools',
  unasked: 'Act without asking you',
};

/** A capability's name, as people read it. */
export function capabilityName(name: string): string {
  return name === '*' ? 'any public host' : name;
}

/** Names of what was agreed to, by what it lets a flow do, in the order in which people read it. `keys` are `kind name`. */
export function agreedByHeading(keys: readonly string[]): { readonly heading: string; readonly names: readonly string[] }[] {
  return capabilityKinds.flatMap((kind) => {
    const names = keys.filter((key) => key.startsWith(`${kind} `)).map((key) => capabilityName(key.slice(kind.length + 1)));
    return names.length === 0 ? [] : [{ heading: capabilityHeadings[kind], names }];
  });
}
