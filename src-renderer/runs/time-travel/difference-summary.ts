import type { ComparedStep } from '#shared/contract/time-travel.ts';
import { listed } from '#shared/flow/checks/report.ts';
import { texts } from './texts.ts';

/** The parts in which a line of a comparison differs, as a short list. */
export function differenceSummary({ differs, seq }: ComparedStep): string {
  if (differs.includes('missing')) return seq === null ? texts.compare.onlyOther : texts.compare.onlyThis;
  return listed(differs.flatMap((part) => (part === 'missing' ? [] : [texts.compare.parts[part]])));
}
