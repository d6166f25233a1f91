import { isJsonObject, type Json } from '#shared/json.ts';
import type { PyflowAgent } from './workflow.ts';

/** What a tool agent replaces in its arguments: one word in braces. */
export const toolPlaceholder = /\{(\w+)\}/g;

/** What ADK may replace in an instruction: any braces without braces inside. */
export const instructionPlaceholder = /\{+[^{}]*\}+/g;

/** One placeholder of an instruction, parsed by ADK's rules. Null if the text stays as it is. */
export interface Placeholder {
  readonly type: 'key' | 'artifact';
  readonly name: string;
  readonly optional: boolean;
}

/** Parses one match of `instructionPlaceholder`. */
export function parsePlaceholder(match: string): Placeholder | null {
  const inside = match.replace(/^\{+/, '').replace(/\}+$/, '').trim();
  const optional = inside.endsWith('?');
  const name = optional ? inside.slice(0, -1) : inside;
  if (name.startsWith('artifact.')) return { type: 'artifact', name: name.slice('artifact.'.length), optional };
  return isStateKey(name) ? { type: 'key', name, optional } : null;
}

/** Python's `str.isidentifier`. */
export function isIdentifier(name: string): boolean {
  return /^[\p{XIDS}_][\p{XIDC}]*$/u.test(name);
}

function isStateKey(name: string): boolean {
  const parts = name.split(':');
  if (parts.length === 1) return isIdentifier(name);
  return parts.length === 2 && ['app', 'user', 'temp'].includes(parts[0] as string) && isIdentifier(parts[1] as string);
}

/** A key that an agent reads, and where it says so. */
export interface KeyRead {
  readonly key: string;
  readonly path: readonly (string | number)[];
  /** Without the key the run fails. */
  readonly needed: boolean;
}

/** The keys of the state that an agent reads. */
export function keysRead(agent: PyflowAgent): KeyRead[] {
  const at = ['agents', agent.index];
  switch (agent.type) {
    case 'expr':
    case 'code':
      return agent.input_keys.map((key, index) => ({ key, path: [...at, 'input_keys', index], needed: false }));
    case 'tool':
      return [...namesIn(agent.tool_config)].map((key) => ({ key, path: [...at, 'tool_config'], needed: false }));
    case 'llm': {
      const found = (agent.instruction.match(instructionPlaceholder) ?? []).map(parsePlaceholder);
      return found.flatMap((one) => (one?.type === 'key' ? [{ key: one.name, path: [...at, 'instruction'], needed: !one.optional }] : []));
    }
    default:
      return [];
  }
}

function namesIn(value: Json): Set<string> {
  if (typeof value === 'string') return new Set([...value.matchAll(toolPlaceholder)].map((match) => match[1] as string));
  const parts = Array.isArray(value) ? (value as readonly Json[]) : isJsonObject(value) ? Object.values(value) : [];
  return new Set(parts.flatMap((part) => [...namesIn(part)]));
}
