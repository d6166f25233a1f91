import type { Target } from './tree.ts';

/** The names that a target assigns. */
export function targetNames(target: Target): readonly string[] {
  return target.kind === 'name' ? [target.id] : target.items.flatMap(targetNames);
}
