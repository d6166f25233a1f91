import { IconCircleCheck, IconPlayerPlayFilled } from '@tabler/icons-react';
import type { OpenFlow } from '#renderer/document/editing/open-flow.ts';
import { useCurrentFlow } from '#renderer/document/flows/use-current-flow.ts';
import { canBePlayed, playCounterexample } from '#renderer/editor/playback/play-counterexample.ts';
import { menuPoint, openMenu } from '#renderer/shell/menu-store.ts';
import { EmptyState } from '#renderer/ui/controls/empty-state.tsx';
import type { Problem } from '#shared/flow/problem.ts';
import { goToProblem } from './go-to-problem.ts';
import { ProblemFixes } from './problem-fixes.tsx';
import { toneLooks, toneOf } from './problem-tone.ts';
import styles from './problems-panel.module.css';
import { texts } from './texts.ts';

/** The problems of the current flow, errors first. A click selects the node. */
export function ProblemsPanel() {
  const flow = useCurrentFlow((open) => open);
  if (!flow)
    return (
      <EmptyState icon={IconCircleCheck} title={texts.noFlow}>
        {texts.noFlowHint}
      </EmptyState>
    );
  const problems = problemsOf(flow);
  if (!flow.report && problems.length === 0)
    return (
      <EmptyState icon={IconCircleCheck} title={texts.checking}>
        {texts.checkingHint}
      </EmptyState>
    );
  if (problems.length === 0) {
    return (
      <EmptyState icon={IconCircleCheck} title={texts.none}>
        {texts.noneHint}
      </EmptyState>
    );
  }
  return (
    <ul className={styles.list} aria-label={texts.problems}>
      {problems.map((problem, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: problems have no identity of their own and are replaced as a whole
        <li key={index} className={styles.item}>
          <button
            type="button"
            className={styles.row}
            onClick={() => goToProblem(flow, problem)}
            onContextMenu={(event) => {
              event.preventDefault();
              openMenu({
                place: 'problem',
                label: texts.menu(problem.message),
                ...menuPoint(event, event.currentTarget),
                subject: { problem },
              });
            }}
          >
            <ToneIcon problem={problem} />
            <span className={styles.message}>{problem.message}</span>
            <code className={styles.code}>{problem.code}</code>
            <span className={styles.node}>{placeOf(flow, problem)}</span>
          </button>
          {!flow.code && problem.fixes && (
            <div className={styles.fixes}>
              <ProblemFixes problem={problem} />
            </div>
          )}
          {canBePlayed(problem) && (
            <button
              type="button"
              className={styles.play}
              aria-label={texts.showHowOf(problem.message)}
              title={texts.showHowHint}
              onClick={() => void playCounterexample(flow, problem)}
            >
              <IconPlayerPlayFilled size={12} aria-hidden="true" />
              {texts.showHow}
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

function ToneIcon({ problem }: { problem: Problem }) {
  const tone = toneOf(problem);
  const { icon: Icon, one } = toneLooks[tone];
  return <Icon size={15} className={styles[tone] ?? ''} aria-label={one} />;
}

/** The host's problems for the text; until it has checked, the problems found by parsing. Errors come first. */
export function problemsOf(flow: Pick<OpenFlow, 'report' | 'parsed'>): readonly Problem[] {
  const found = flow.report?.problems ?? flow.parsed.problems;
  return [...found].sort((a, b) => Number(a.severity === 'warning') - Number(b.severity === 'warning'));
}

/** Where a problem is: its line in a workflow, its node, or its path. */
function placeOf({ path }: Pick<OpenFlow, 'path'>, { line, nodes, path: pointer }: Problem): string {
  return line === undefined ? (nodes[0] ?? pointer) : `${path.replace(/^.*\//, '')}:${line}`;
}
