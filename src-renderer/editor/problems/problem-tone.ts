import { type Icon, IconAlertTriangle, IconCircleDashed, IconCircleX } from '@tabler/icons-react';
import type { Problem, ProblemCode } from '#shared/flow/problem.ts';
import { texts } from './texts.ts';

/** How a problem is shown. Missing parts of an unfinished flow are errors that prevent a run, but not mistakes. */
export type ProblemTone = 'error' | 'unfinished' | 'warning';

/** The tones, most important first. */
const tones: readonly ProblemTone[] = ['error', 'unfinished', 'warning'];

const unfinishedCodes: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'missing_entry',
  'unreachable_node',
  'no_path_to_terminal',
  'multiple_terminals',
  'terminal_mismatch',
  'fork_child_unregistered',
  'join_parent_unregistered',
]);

export function toneOf({ severity, code }: Pick<Problem, 'severity' | 'code'>): ProblemTone {
  if (severity === 'warning') return 'warning';
  return unfinishedCodes.has(code) ? 'unfinished' : 'error';
}

/** Returns the more important tone. */
export function worseTone(one: ProblemTone | undefined, other: ProblemTone): ProblemTone {
  return one !== undefined && tones.indexOf(one) <= tones.indexOf(other) ? one : other;
}

/** The icon of a tone, and the screen-reader labels of a problem and of a node with problems. */
export const toneLooks: Record<ProblemTone, { readonly icon: Icon; readonly one: string; readonly node: string }> = {
  error: { icon: IconCircleX, one: texts.tones.error, node: texts.tones.hasErrors },
  unfinished: { icon: IconCircleDashed, one: texts.tones.unfinished, node: texts.tones.unfinished },
  warning: { icon: IconAlertTriangle, one: texts.tones.warning, node: texts.tones.hasWarnings },
};
