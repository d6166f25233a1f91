import type { ComparedStep } from '#shared/contract/time-travel.ts';
import { listed } from '#shared/flow/checks/report.ts';
import { texts } from './texts.ts';

/** The parts in which a line of a comparison differs, as a short list, and which of the runs was supplied there. */
export function differenceSummary(step: ComparedStep): string {
  const supplied = step.supplied ? (step.other_supplied ? 'both' : 'this') : step.other_supplied ? 'other' : null;
  return [differencesOf(step), ...(supplied ? [texts.compare.supplied[supplied]] : [])].filter(Boolean).join(' · ');
}

function differencesOf({ differs, seq }: ComparedStep): string {
  if (differs.includes('missing')) return seq === null ? texts.compare.onlyOther : texts.compare.onlyThis;
  return listed(differs.flatMap((part) => (part === 'missing' ? [] : [texts.compare.parts[part]])));
}
