import { type Icon, IconAlertTriangle, IconCircleDashed, IconCircleX } from '@tabler/icons-react';
import type { Problem, ProblemCode } from '#shared/flow/problem.ts';

/** How a finding is shown. What a flow under construction lacks is an error, which keeps it from running, but nothing that was done wrong. */
export type ProblemTone = 'error' | 'unfinished' | 'warning';

/** The tones, the one that matters most first. */
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

/** The tone that matters more. */
export function worseTone(one: ProblemTone | undefined, other: ProblemTone): ProblemTone {
  return one !== undefined && tones.indexOf(one) <= tones.indexOf(other) ? one : other;
}

/** How a tone looks, and what a screen reader says of one finding and of a node that has some. */
export const toneLooks: Record<ProblemTone, { readonly icon: Icon; readonly one: string; readonly node: string }> = {
  error: { icon: IconCircleX, one: 'Error', node: 'Has errors' },
  unfinished: { icon: IconCircleDashed, one: 'Not finished', node: 'Not finished' },
  warning: { icon: IconAlertTriangle, one: 'Warning', node: 'Has warnings' },
};
