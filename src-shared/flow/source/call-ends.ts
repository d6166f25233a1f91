import { type AnyNode, parse } from 'acorn';
import type { StripTypes } from './strip-types.ts';

/**
 * Returns the line in which each method call of a module ends, by the line and column (from 1) of the method's name (`12:4`). Empty for a module that can't be
 * parsed.
 */
export function callEnds(source: string, strip: StripTypes): ReadonlyMap<string, number> {
  const ends = new Map<string, number>();
  const stripped = strip(source);
  if (!stripped.ok) return ends;
  try {
    const waiting: unknown[] = [
      parse(stripped.code, { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true, locations: true }),
    ];
    for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
      if (Array.isArray(value)) waiting.push(...value);
      else if (isNode(value)) {
        addCall(value, ends);
        waiting.push(...Object.values(value));
      }
    }
  } catch {
    // Node has loaded it, by rules of its own.
  }
  return ends;
}

function addCall(node: AnyNode, ends: Map<string, number>): void {
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return;
  const { start } = node.callee.property.loc ?? {};
  if (start && node.loc) ends.set(`${start.line}:${start.column + 1}`, node.loc.end.line);
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value;
}
