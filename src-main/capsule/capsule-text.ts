import type { Capsule } from '#main/capsule/capsule-format.ts';
import { canonicalJson, type Json, type JsonObject } from '#shared/json.ts';

/** A capsule as text: one record a line and keys in order, so that a version control shows what changed, and equal capsules have equal text. */
export function capsuleText(capsule: Capsule): string {
  // Fields that are undefined are not there once it is a file.
  const content = JSON.parse(JSON.stringify(capsule)) as JsonObject;
  const lines = Object.entries(content).map(([key, value]) => {
    const text = key === 'steps' ? stepLines(value as readonly Json[]) : canonicalJson(value);
    return `${JSON.stringify(key)}: ${text}`;
  });
  return `{\n${lines.join(',\n')}\n}\n`;
}

function stepLines(steps: readonly Json[]): string {
  return steps.length === 0 ? '[]' : `[\n${steps.map((step) => `  ${canonicalJson(step)}`).join(',\n')}\n]`;
}
