import type { Step } from '#main/engine/step/step.ts';

/** The name of the agent that a node runs: its title, or the state that it consumes. */
export function authorOf({ plan: { node } }: Step): string {
  return node.title ?? (node.from[0] as string);
}
