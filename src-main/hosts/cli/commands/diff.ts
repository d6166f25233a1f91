import { exitCodes } from '#main/hosts/cli/options/exit-codes.ts';
import { printChanges } from '#main/hosts/cli/output/history-output.ts';
import { countOf, printLine, styled } from '#main/hosts/cli/output/terminal.ts';
import { runSource } from '#main/hosts/cli/session/run-source.ts';
import { printingRefusals } from '#main/hosts/cli/session/session.ts';
import { chooseWorkspace } from '#main/hosts/cli/session/workspace.ts';
import { closeJournals, openExistingJournals } from '#main/journal/workspace-journals.ts';
import { compareRuns, compareSteps, type RunInJournal } from '#main/time-travel/compare.ts';
import type { ComparedEffect, ComparedStep, WholeComparison } from '#shared/contract/time-travel.ts';

export interface DiffOptions {
  readonly folder?: string;
  readonly json?: boolean;
  readonly all?: boolean;
}

/** `pravah diff RUN RUN`: compares two runs. Exit code 1 if they differ. */
export async function diff(runId: string, otherId: string, options: DiffOptions): Promise<number> {
  const json = options.json ?? false;
  const folder = await chooseWorkspace(options.folder);
  return printingRefusals(runId, json, async () => {
    const journals = await openExistingJournals(folder);
    try {
      const [first, second] = [await runSource(journals, runId), await runSource(journals, otherId)];
      const comparison = compareRuns(first, second);
      if (json) printLine(JSON.stringify(withDetails(comparison, first, second)));
      else printComparison(comparison, first, second, options.all ?? false);
      return comparison.differing === 0 ? exitCodes.success : exitCodes.error;
    } finally {
      closeJournals(journals);
    }
  });
}

function withDetails({ steps, ...rest }: WholeComparison, first: RunInJournal, second: RunInJournal) {
  const detailed = steps.map((step) =>
    step.differs.length === 0 ? step : { ...step, ...compareSteps(first, step.seq, second, step.other_seq) },
  );
  return { ...rest, steps: detailed };
}

function printComparison(comparison: WholeComparison, first: RunInJournal, second: RunInJournal, all: boolean): void {
  const { steps, first_divergence, differing, total, shared } = comparison;
  if (shared) printLine(`shared  up to step ${shared.seq} of the first run and ${shared.other_seq} of the second`);
  for (const [at, step] of steps.entries()) {
    const isSupplied = step.supplied || step.other_supplied;
    if (step.differs.length === 0 && !isSupplied && !all) continue;
    printLine(`${lineOf(step)}${at === first_divergence ? `  ${styled('yellow', '← first difference')}` : ''}`);
    if (step.differs.length > 0) printDifferences(step, first, second);
  }
  const verdict = differing === 0 ? styled('green', 'same') : styled('red', 'differs');
  printLine(`${verdict}  ${differing} of ${countOf(total, 'step')} ${differing === 1 ? 'differs' : 'differ'}`);
}

function lineOf(step: ComparedStep): string {
  const { seq, other_seq, node, kind, phase, tokens, other_tokens, duration_ms, other_duration_ms } = step;
  const numbers = `${String(seq ?? '–').padStart(5)} ${String(other_seq ?? '–').padStart(5)}`;
  const what = [kind, phase].filter(Boolean).join(' ');
  const spent = [pair('tokens', tokens, other_tokens), pair('ms', rounded(duration_ms), rounded(other_duration_ms))].filter(Boolean);
  const supplied = suppliedText(step);
  return [`${numbers}  ${node} ${styled('dim', what)}`.trimEnd(), ...spent, ...(supplied ? [styled('yellow', supplied)] : [])].join('  ');
}

/** Says in which of the runs pins or mocks supplied something of a step. */
function suppliedText({ supplied, other_supplied }: ComparedStep): string {
  if (supplied && other_supplied) return 'supplied in both';
  return supplied ? 'supplied in the first' : other_supplied ? 'supplied in the second' : '';
}

function pair(unit: string, one: number | null, other: number | null): string {
  if (!one && !other) return '';
  return `${one ?? '–'} | ${other ?? '–'} ${unit}`;
}

function rounded(milliseconds: number | null): number | null {
  return milliseconds === null ? null : Math.round(milliseconds);
}

function printDifferences({ seq, other_seq, differs }: ComparedStep, first: RunInJournal, second: RunInJournal): void {
  const { states, effects, messages } = compareSteps(first, seq, second, other_seq);
  for (const { name, changes } of states) {
    if (changes.length === 0) continue;
    printLine(`        ${name}`);
    printChanges(changes, '          ');
  }
  if (differs.includes('missing')) return;
  for (const effect of effects) printEffect(effect);
  if (messages.length === 0) return;
  printLine('        messages');
  printChanges(messages, '          ');
}

function printEffect({ kind, name, in: where, input, outcome }: ComparedEffect): void {
  if (where !== 'both') printLine(`        ${kind} ${name}: only in the ${where}`);
  if (where !== 'both' || input.length + outcome.length === 0) return;
  printLine(`        ${kind} ${name}`);
  printChanges(
    [
      ...input.map((change) => ({ ...change, path: `input${change.path}` })),
      ...outcome.map((change) => ({ ...change, path: `outcome${change.path}` })),
    ],
    '          ',
  );
}
