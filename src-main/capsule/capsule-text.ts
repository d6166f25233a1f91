import type { Capsule } from './capsule-format.ts';

/** Serializes a capsule with one record per line, for readable diffs. Keys keep their order, because prompts built from values depend on it. */
export function capsuleText(capsule: Capsule): string {
  const lines = Object.entries(capsule).map(([key, value]) => {
    const text = key === 'steps' ? stepLines(value as Capsule['steps']) : JSON.stringify(value);
    return `${JSON.stringify(key)}: ${text}`;
  });
  return `{\n${lines.join(',\n')}\n}\n`;
}

function stepLines(steps: Capsule['steps']): string {
  return steps.length === 0 ? '[]' : `[\n${steps.map((step) => `  ${JSON.stringify(step)}`).join(',\n')}\n]`;
}
