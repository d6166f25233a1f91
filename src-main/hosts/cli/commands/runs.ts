import { exitCodes } from '#main/hosts/cli/options/exit-codes.ts';
import { suppliedText } from '#main/hosts/cli/output/run-output.ts';
import { alignedRows, countOf, printLine, shortJson, styled } from '#main/hosts/cli/output/terminal.ts';
import { runSource } from '#main/hosts/cli/session/run-source.ts';
import { printingRefusals } from '#main/hosts/cli/session/session.ts';
import { chooseWorkspace } from '#main/hosts/cli/session/workspace.ts';
import { closeJournals, openExistingJournals } from '#main/journal/workspace-journals.ts';
import { messageText } from '#main/models/message-text.ts';
import { type EditedCall, editedCalls } from '#main/runner/edited-calls.ts';
import { nodeNames } from '#main/runner/run-frames.ts';
import { detailOf, listRuns, stateAt, timelineOf } from '#main/runner/run-views.ts';
import type { RunDetail, RunSummary, StateAt, TimelineEntry } from '#shared/contract/runs.ts';
import { cutMessage } from '#shared/run/cut-message.ts';

interface ReadOptions {
  readonly folder?: string;
  readonly json?: boolean;
}

/** `pravah runs`: prints the newest runs of the workspace, one per line. */
export async function runs(options: ReadOptions & { readonly limit?: number }): Promise<number> {
  const journals = await openExistingJournals(await chooseWorkspace(options.folder));
  try {
    const found = listRuns([journals.main, ...journals.others], { limit: options.limit ?? 100 }, Date.now());
    const lines = options.json ? found.map((run) => JSON.stringify(run)) : alignedRows(found.map(runColumns));
    for (const line of lines) printLine(line);
    if (found.length === 0 && !options.json) printLine('No runs yet. Start one with: pravah run FLOW');
    return exitCodes.success;
  } finally {
    closeJournals(journals);
  }
}

/** `pravah show RUN`: prints a run with its timeline, or its states after a step. */
export async function show(source: string, options: ReadOptions & { readonly step?: number }): Promise<number> {
  const json = options.json ?? false;
  const folder = await chooseWorkspace(options.folder);
  return printingRefusals(source, json, async () => {
    const journals = await openExistingJournals(folder);
    try {
      const { journal, runId } = await runSource(journals, source);
      if (options.step !== undefined) printStates(stateAt(journal, runId, options.step), json);
      else {
        const detail = detailOf(journal, runId, Date.now());
        const { entries } = timelineOf(journal, runId, 1, detail.seq);
        printDetail({ ...detail, timeline: entries, edited_calls: editedCalls(journal, runId) }, json, nodeNames(journal));
      }
      return exitCodes.success;
    } finally {
      closeJournals(journals);
    }
  });
}

function runColumns(run: RunSummary): string[] {
  const waiting = run.suspensions[0] ? `waiting for ${run.suspensions[0].tool_id}` : '';
  const when = new Date(run.created_at).toISOString().slice(0, 19).replace('T', ' ');
  const from = run.forked_from ? `forked from ${run.forked_from.run_id} at step ${run.forked_from.seq}` : '';
  const supplied = run.supplied === undefined ? '' : `${countOf(run.supplied, 'output')} supplied`;
  return [run.run_id, when, run.status, countOf(run.seq, 'step'), run.flow_path, [waiting, from, supplied].filter(Boolean).join('  ')];
}

/** A run with its whole timeline and the calls that the user edited. */
type WholeRun = Omit<RunDetail, 'timeline'> & { readonly timeline: readonly TimelineEntry[]; readonly edited_calls: readonly EditedCall[] };

function printDetail(run: WholeRun, json: boolean, nameOf: (runId: string, node: string) => string): void {
  if (json) {
    printLine(JSON.stringify(run));
    return;
  }
  printLine(`${styled('bold', run.flow_name)}  ${run.flow_path}  ${styled('dim', run.run_id)}`);
  printLine(`${run.status}  ${countOf(run.seq, 'step')}, ${countOf(run.tokens, 'token')}`);
  const rows = run.timeline.map((entry) => {
    const produced = entry.produced.length > 0 ? `→ ${entry.produced.join(', ')}` : '';
    const note = [entry.note, ...suppliedTexts(entry)].filter(Boolean).join('  ');
    return [String(entry.seq), nameOf(run.run_id, entry.node), [entry.kind, entry.phase].filter(Boolean).join(' '), produced, note];
  });
  const edits = new Map(run.edited_calls.map((edit) => [edit.seq, edit]));
  for (const [index, line] of alignedRows(rows).entries()) {
    printLine(`  ${line}`);
    const edit = edits.get(run.timeline[index]?.seq ?? -1);
    if (edit) printEdit(edit);
  }
  printStates(run.current, false);
  for (const suspension of run.suspensions)
    printLine(`${styled('yellow', `waiting for ${suspension.tool_id}`)}  ${shortJson(suspension.value, 400)}`);
  const partial = run.error && cutMessage(run.error);
  if (partial) printLine(`${styled('yellow', `${run.error?.node} was truncated`)}  ${shortJson(messageText(partial), 400)}`);
  if (run.error) printLine(`${styled('red', run.error.variant)}  ${run.error.message}`);
}

function suppliedTexts({ supplied, mocked }: TimelineEntry): string[] {
  return [...(supplied ? [suppliedText(supplied)] : []), ...(mocked ? [`${countOf(mocked, 'call')} mocked`] : [])];
}

/** Prints the input that the model requested and the one that was executed. */
function printEdit({ tool, input, ran_with }: EditedCall): void {
  printLine(`      ${tool}: input edited by the user`);
  printLine(`        requested    ${shortJson(input, 400)}`);
  printLine(`        executed     ${shortJson(ran_with, 400)}`);
}

function printStates(at: StateAt, json: boolean): void {
  if (json) {
    printLine(JSON.stringify(at));
    return;
  }
  for (const { name, value, written_at } of at.states)
    printLine(`${name}  ${styled('dim', `step ${written_at}`)}  ${shortJson(value, 400)}`);
  if (at.next) printLine(`next: ${at.next}`);
}
