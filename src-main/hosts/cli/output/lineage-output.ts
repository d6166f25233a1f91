import type { FindRequest } from '#main/debug/find.ts';
import { nameInText } from '#main/debug/readable-failure.ts';
import type { Journal } from '#main/journal/journal.ts';
import { framesAt } from '#main/runner/run-frames.ts';
import type { Lineage, LineageStep } from '#shared/contract/lineage.ts';
import { placeText } from '#shared/run/stop.ts';
import { alignedRows, printLine, styled } from './terminal.ts';

/** Prints the steps of a lineage, one per line, with how each one led to the line before. */
export function printLineage({ steps, cut }: Lineage, direction: 'back' | 'forth'): void {
  const rows = steps.map((step) => {
    const at = step.seq === 0 ? 'start' : `step ${step.seq}`;
    const turn = step.place.at(-1)?.turn;
    const where = step.seq === 0 ? "the run's input" : placeText(step.place);
    return [at, `${step.name}${step.path ?? ''}`, turn === undefined ? where : `${where}, turn ${turn}`, howText(step, direction)];
  });
  for (const line of alignedRows(rows)) printLine(line);
  if (cut) printLine(styled('dim', `Only the first ${steps.length} steps are shown. Ask again from the last one.`));
}

function howText({ how, introduced, found_in }: LineageStep, direction: 'back' | 'forth'): string {
  const texts = { asked: '', consumed: direction === 'back' ? '' : 'used', copied: 'passed on', same_value: 'same value' };
  const origin = introduced ? 'introduced here' : '';
  const tool = found_in
    ? `same value in ${found_in.tool}${found_in.turn === undefined ? '' : `, turn ${found_in.turn}`} (step ${found_in.seq})`
    : '';
  return styled('dim', [texts[how], origin, tool].filter(Boolean).join(', '));
}

/** The result of a search, for people. */
export function foundText(
  journal: Journal,
  runId: string,
  seq: number | null,
  { expression, direction, fault }: Pick<FindRequest, 'expression' | 'direction'> & { readonly fault: string | null },
): string {
  if (seq === null)
    return `${expression} is not true after any ${direction === 'back' ? 'earlier' : 'later'} step${fault ? `: ${fault}` : '.'}`;
  return `step ${seq}  ${seq === 0 ? "the run's start" : placeText(framesAt(journal, runId, seq, nameInText))}`;
}

/** A state as it is named in a command: `Draft`, `Draft/total`, `Items[2]::Draft/total`. */
export interface NamedValue {
  readonly state: string;
  readonly item?: string;
  readonly path?: string;
}

export function parseNamedValue(text: string): NamedValue {
  const slash = text.indexOf('/');
  const name = slash < 0 ? text : text.slice(0, slash);
  const end = name.lastIndexOf(']::');
  return {
    state: end < 0 ? name : name.slice(end + 3),
    ...(end >= 0 && { item: name.slice(0, end + 1) }),
    ...(slash >= 0 && { path: text.slice(slash) }),
  };
}
