import { kindFacts } from '#shared/flow/node-kinds.ts';
import type { OutlineNode } from '#shared/flow/outline.ts';
import { isJsonObject, type Json } from '#shared/json.ts';

/** The muted line of a node card: what the node runs. */
export interface NodeDetail {
  readonly type: 'tool' | 'code' | 'expr' | 'module' | 'model' | 'flow' | 'person';
  readonly text: string;
}

/**
 * A short description of what a node runs. Null if it passes its input through or runs inline code, which has no short
 * name.
 */
export function nodeDetail({ kind, raw }: OutlineNode): NodeDetail | null {
  if (kind === 'agent') return { type: 'model', text: isJsonObject(raw.agent) ? text(raw.agent.model) : 'no model yet' };
  if (kindFacts[kind].runs_flow) return { type: 'flow', text: text(raw.flow) };
  if (kind === 'suspend') return { type: 'person', text: 'waits for an answer' };
  if (typeof raw.tool === 'string') return { type: 'tool', text: toolCall(raw.tool, raw.with) };
  if (raw.expr !== undefined) return { type: 'expr', text: text(raw.expr) };
  if (raw.run_file !== undefined) return { type: 'code', text: text(raw.run_file) };
  if (raw.module !== undefined) return { type: 'module', text: text(raw.module) };
  return null;
}

/** A tool's name with the first words of its arguments (`run_command git log`). */
function toolCall(tool: string, args: Json | undefined): string {
  const words = Object.values(isJsonObject(args) ? args : {})
    .flat()
    .filter((value) => typeof value === 'string');
  return [tool, ...words.slice(0, 2)].join(' ');
}

function text(value: Json | undefined): string {
  return String(value ?? '')
    .trim()
    .replace(/\s+/g, ' ')
    .slice(0, 80);
}
