import { type BisectResult, bisect, type Judged } from '#main/bisect/bisect.ts';
import { flowAtCommit } from '#main/bisect/flow-at-commit.ts';
import { type JudgedRun, judgeByOutput, judgeByRecord, type Verdict } from '#main/bisect/judge-version.ts';
import { parseDebugExpression } from '#main/debug/condition.ts';
import { exitCodes, UsageError } from '#main/hosts/cli/options/exit-codes.ts';
import { printDivergence } from '#main/hosts/cli/output/history-output.ts';
import { countOf, printLine, printNote, shortJson, styled } from '#main/hosts/cli/output/terminal.ts';
import { runSource } from '#main/hosts/cli/session/run-source.ts';
import { printingRefusals } from '#main/hosts/cli/session/session.ts';
import { chooseWorkspace } from '#main/hosts/cli/session/workspace.ts';
import { closeJournals, openExistingJournals } from '#main/journal/workspace-journals.ts';
import { type Commit, GitHistory } from '#main/workspace/git-history.ts';
import { isTrusted } from '#main/workspace/trust.ts';
import type { Expression } from '#shared/flow/expression.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import { resolveWorkspacePath } from '#shared/flow/workspace-path.ts';
import { FlowError } from '#shared/run/error.ts';

export interface BisectOptions {
  readonly folder?: string;
  readonly json?: boolean;
  readonly good: string;
  readonly bad: string;
  readonly expect?: string;
}

type Judge = (commit: Commit) => Promise<Verdict>;

/** `pravah bisect RUN --good REV --bad REV`: finds the first commit whose flow replays a run differently, or whose output fails `--expect`. */
export async function bisectCommand(source: string, options: BisectOptions): Promise<number> {
  const json = options.json ?? false;
  const expected = options.expect === undefined ? null : expectation(options.expect);
  const folder = await chooseWorkspace(options.folder);
  return printingRefusals(source, json, async () => {
    const journals = await openExistingJournals(folder);
    try {
      const run = await runSource(journals, source);
      const history = new GitHistory(folder, { trusted: await isTrusted(folder) });
      const judge = printing(judgeOf(run, history, folder, expected), json);
      const [good, bad] = [await history.commit(options.good), await history.commit(options.bad)];
      const commits = await commitsBetween(history, good, bad, options);
      await expectGood(good, judge, options);
      const result = await bisect(commits, judge);
      expectBad(result, options);
      if (json) printLine(JSON.stringify(reportOf(result, commits.length)));
      else printResult(result);
      return exitCodes.success;
    } finally {
      closeJournals(journals);
    }
  });
}

function expectation(text: string): Expression {
  try {
    return parseDebugExpression(text, '/expect');
  } catch (error) {
    throw new UsageError(`Invalid --expect: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Judges a commit by its version of the run's flow. Versions with the same graph are judged once. */
function judgeOf(run: JudgedRun, history: GitHistory, folder: string, expected: Expression | null): Judge {
  const path = resolveWorkspacePath('', run.journal.row(run.runId).flow_path);
  if (!path) {
    throw new FlowError('BuildError', 'The flow of this run is not stored in a file of this folder, so git has no versions of it.');
  }
  const known = new Map<string, Verdict>();
  const judged = (graph: FlowGraph) => (expected ? judgeByOutput(run, graph, expected) : judgeByRecord(run, graph));
  return async (commit) => {
    const flow = await flowAtCommit(history, commit, { folder, path });
    if (!flow.graph) return { verdict: 'skipped', reason: `The flow can't be built: ${flow.why}` };
    const verdict = known.get(flow.graph.hash) ?? (await judged(flow.graph));
    known.set(flow.graph.hash, verdict);
    return verdict;
  };
}

function printing(judge: Judge, json: boolean): Judge {
  return async (commit) => {
    const verdict = await judge(commit);
    if (!json)
      printNote(`${verdict.verdict.padEnd(7)}  ${nameOf(commit)}${verdict.verdict === 'skipped' ? `\n         ${verdict.reason}` : ''}`);
    return verdict;
  };
}

async function commitsBetween(history: GitHistory, good: Commit, bad: Commit, options: BisectOptions): Promise<Commit[]> {
  if (good.commit !== bad.commit && (await history.isAncestor(good, bad))) return history.after(good, bad);
  throw new FlowError('Conflict', `Can't search: ${options.good} is not an earlier commit than ${options.bad}. Swap or change them.`);
}

async function expectGood(good: Commit, judge: Judge, options: BisectOptions): Promise<void> {
  const { verdict, reason } = await judge(good);
  if (verdict !== 'good') throw new FlowError('Conflict', `${options.good} is not good: ${reason} Choose an earlier good commit.`);
}

function expectBad({ candidates, tested }: BisectResult<Commit>, options: BisectOptions): void {
  if (candidates.some(({ verdict }) => verdict === 'bad')) return;
  const why = tested[0]?.verdict === 'good' ? 'its flow gives the same result' : (tested[0]?.reason ?? '');
  throw new FlowError('Conflict', `${options.bad} is not bad: ${why} Choose a later bad commit.`);
}

function reportOf({ candidates, tested }: BisectResult<Commit>, commits: number) {
  return { first_bad: candidates.length === 1 ? candidates[0] : null, candidates, commits, tested };
}

function printResult({ candidates, tested }: BisectResult<Commit>): void {
  const first = candidates.at(-1) as Judged<Commit>;
  if (candidates.length === 1) printLine(`${styled('red', 'first bad')}  ${nameOf(first)}`);
  else {
    printLine(`${styled('yellow', 'first bad')}  one of ${countOf(candidates.length, 'commit')}, because some could not be judged`);
    for (const commit of candidates) printLine(`  ${nameOf(commit)}`);
  }
  printLine(`           ${first.author}, ${first.date}; ${countOf(tested.length, 'commit')} judged`);
  if (first.divergence) printDivergence(first.divergence);
  else printLine(`  ${first.reason}${first.output === undefined ? '' : ` Output: ${shortJson(first.output, 400)}`}`);
}

function nameOf({ commit, subject }: Commit): string {
  return `${commit.slice(0, 10)}  ${subject}`;
}
