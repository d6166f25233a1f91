import type { Capsule } from '#main/capsule/capsule-format.ts';

/** A capsule as text: one record a line, so that a version control shows what changed. Keys keep their order, which prompts made of values depend on. */
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
