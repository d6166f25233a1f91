import type { ComparedStep } from '#shared/contract/time-travel.ts';
import { listed } from '#shared/flow/checks/report.ts';

const parts = { states: 'states', effects: 'effects', messages: 'conversation' } as const;

/** In what a line of a comparison differs, in a few words. */
export function differenceWords({ differs, seq }: ComparedStep): string {
  if (differs.includes('missing')) return seq === null ? 'only in the other' : 'only in this';
  return listed(differs.flatMap((part) => (part === 'missing' ? [] : [parts[part]])));
}
