import { currentFlow } from '#renderer/document/flows/editor.ts';
import { askAboutFlowFile } from '#renderer/document/flows/flow-file-task-store.ts';
import { revealNode } from '#renderer/document/flows/selection.ts';
import { firstReason, needsFlow } from '#renderer/editor/actions/why-not.ts';
import { canBePlayed, playCounterexample } from '#renderer/editor/playback/play-counterexample.ts';
import { goToProblem } from '#renderer/editor/problems/go-to-problem.ts';
import { problemsOf } from '#renderer/editor/problems/problems-panel.tsx';
import { focusWaitingCard } from '#renderer/runs/inbox/focus-waiting-card.ts';
import { openRun, showRunNow } from '#renderer/runs/model/open-run.ts';
import { hasEnded } from '#renderer/runs/model/run-fold.ts';
import { runListStore, runSessionStore } from '#renderer/runs/model/run-stores.ts';
import { compareRuns } from '#renderer/runs/time-travel/comparison.ts';
import type { Command } from '#renderer/shell/command.ts';
import { copyText } from '#renderer/shell/copy-text.ts';
import { menuSubject } from '#renderer/shell/menu-store.ts';
import { withoutFlowEnding } from '#shared/flow/flow-file.ts';
import type { Problem } from '#shared/flow/problem.ts';
import { texts } from './texts.ts';

const words = texts.rows;

/** The run that a command is about: that of the menu's row, else the shown one. */
function subjectRun(): { readonly run_id: string; readonly flow_path: string; readonly node?: string } | null {
  return menuSubject().run ?? runSessionStore.getState().view;
}

export function needsSubjectRun(): string | null {
  return subjectRun() ? null : words.noRun;
}

/** Shows the run of the menu's row, if it has one, and then calls `act`. */
export async function withSubjectRun(act: () => void): Promise<void> {
  const { run } = menuSubject();
  const shown = () => runSessionStore.getState().view?.run_id;
  if (run && run.run_id !== shown()) await openRun(run);
  if (!run || run.run_id === shown()) act();
}

function needsOtherRun(): string | null {
  const { view } = runSessionStore.getState();
  return view && subjectRun()?.run_id !== view.run_id ? null : words.noOtherRun;
}

function needsEnded(): string | null {
  const run = runListStore.getState().runs.find(({ run_id }) => run_id === subjectRun()?.run_id);
  return run && hasEnded(run.status) ? null : words.stopFirst;
}

/** Asks for the name of a new file with the flow that the shown run was started with. */
function takeFlowOfShownRun(): void {
  const { view } = runSessionStore.getState();
  if (!view) return;
  const { flow_path, flow_text } = view;
  askAboutFlowFile({ type: 'create', name: withoutFlowEnding(flow_path.split('/').at(-1) ?? flow_path), text: () => flow_text });
}

async function goToWaitingNode(): Promise<void> {
  const run = subjectRun();
  if (!run) return;
  await openRun(run);
  const node = run.node ?? runSessionStore.getState().view?.suspensions[0]?.node;
  if (node !== undefined) revealNode(node);
}

/** The problem that a command is about: that of the menu's row, else the first one of the shown flow. */
function subjectProblem(): Problem | undefined {
  const flow = currentFlow();
  return menuSubject().problem ?? (flow ? problemsOf(flow)[0] : undefined);
}

function withProblem(act: (flow: NonNullable<ReturnType<typeof currentFlow>>, problem: Problem) => void): () => void {
  return () => {
    const [flow, problem] = [currentFlow(), subjectProblem()];
    if (flow && problem) act(flow, problem);
  };
}

const needsProblem = () => (subjectProblem() ? null : words.noProblem);

/** Commands for rows of the runs, the inbox and the problems. */
export const rowCommands: readonly Command[] = [
  {
    id: 'show_run',
    title: words.showRun,
    short: words.show,
    section: 'View',
    where: ['run'],
    whyNot: needsSubjectRun,
    run: () => {
      const run = subjectRun();
      if (run) void showRunNow(run);
    },
  },
  {
    id: 'answer_question',
    title: words.answerQuestion,
    short: words.answer,
    section: 'Run',
    where: ['question'],
    whyNot: needsSubjectRun,
    run: () => void withSubjectRun(focusWaitingCard),
  },
  {
    id: 'go_to_waiting_node',
    title: words.goToWaitingNode,
    short: words.goToNode,
    section: 'Run',
    where: ['question'],
    whyNot: needsSubjectRun,
    run: () => void goToWaitingNode(),
  },
  {
    id: 'compare_with_shown',
    title: words.compareWithShown,
    section: 'Run',
    where: ['run'],
    whyNot: needsOtherRun,
    run: () => {
      const [shown, other] = [runSessionStore.getState().view, subjectRun()];
      if (shown && other) void compareRuns(shown.run_id, other.run_id);
    },
  },
  {
    id: 'take_flow_of_run',
    title: words.takeFlow,
    short: words.takeFlowShort,
    section: 'File',
    where: ['run'],
    whyNot: needsSubjectRun,
    run: () => void withSubjectRun(takeFlowOfShownRun),
  },
  {
    id: 'copy_run_id',
    title: words.copyRunId,
    short: words.copyId,
    section: 'Edit',
    where: ['run', 'question'],
    whyNot: needsSubjectRun,
    run: () => {
      const run = subjectRun();
      if (run) void copyText(run.run_id, words.copiedId);
    },
  },
  {
    id: 'remove_run',
    title: words.removeRun,
    short: words.remove,
    section: 'File',
    where: ['run'],
    whyNot: firstReason(needsSubjectRun, needsEnded),
    run: () => {
      const run = subjectRun();
      if (run) void runListStore.getState().remove(run.run_id);
    },
  },
  {
    id: 'go_to_problem',
    title: words.goToProblem,
    short: words.goToNode,
    section: 'View',
    where: ['problem'],
    whyNot: firstReason(needsFlow, needsProblem),
    run: withProblem(goToProblem),
  },
  {
    id: 'play_problem',
    title: words.playProblem,
    short: words.showHow,
    section: 'View',
    where: ['problem'],
    whyNot: firstReason(needsFlow, needsProblem, () => (subjectProblem()?.trace?.length ? null : words.noTrace)),
    run: withProblem((flow, problem) => {
      if (canBePlayed(problem)) void playCounterexample(flow, problem);
    }),
  },
  {
    id: 'copy_problem',
    title: words.copyProblem,
    short: words.copyMessage,
    section: 'Edit',
    where: ['problem'],
    whyNot: firstReason(needsFlow, needsProblem),
    run: withProblem((_flow, { message, code }) => void copyText(`${message} (${code})`, words.copiedMessage)),
  },
];
