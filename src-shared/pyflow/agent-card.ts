import type { FlowDocument } from '#shared/flow/document.ts';
import { isJsonObject, type Json, type JsonObject } from '#shared/json.ts';

/**
 * The A2A agent card of a flow that was imported from a workflow with an `a2a` section, or of such a workflow; null without one. `url` is the address
 * of the server that runs it. Source: https://a2a-protocol.org/v0.3.0/specification/
 */
export function agentCard({ name, description = '', pyflow }: FlowDocument, url: string): JsonObject | null {
  const a2a = pyflow?.a2a;
  if (!a2a) return null;
  return {
    protocolVersion: '0.3.0',
    name,
    description,
    url,
    version: typeof a2a.version === 'string' ? a2a.version : '1.0.0',
    capabilities: { streaming: false, pushNotifications: false },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain', 'application/json'],
    skills: Array.isArray(a2a.skills) ? a2a.skills.filter(isJsonObject).map(skillOf) : [],
  };
}

/** A skill with everything that a card requires. */
function skillOf(skill: JsonObject): JsonObject {
  const text = (value: Json | undefined) => (typeof value === 'string' ? value : '');
  return { ...skill, description: text(skill.description), tags: Array.isArray(skill.tags) ? skill.tags : [] };
}
