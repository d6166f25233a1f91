import { SegmentedControl } from '@mantine/core';
import { IconPointer } from '@tabler/icons-react';
import { type KeyboardEvent, memo, useMemo, useRef } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { revealNode } from '#renderer/document/flows/selection.ts';
import { useFlowFields } from '#renderer/document/flows/use-current-flow.ts';
import { useSelection } from '#renderer/document/flows/use-selection.ts';
import { nodeAt } from '#renderer/document/graph/readable-flow.ts';
import { inspectorMark } from '#renderer/editor/actions/open-in-inspector.ts';
import { disableNode, pinNode } from '#renderer/editor/actions/pin-actions.ts';
import { ProblemFixes } from '#renderer/editor/problems/problem-fixes.tsx';
import { toneOf } from '#renderer/editor/problems/problem-tone.ts';
import { problemsOf } from '#renderer/editor/problems/problems-panel.tsx';
import { NodeRun } from '#renderer/runs/iterations/node-run.tsx';
import { SuppliedFields } from '#renderer/runs/supplied/supplied-fields.tsx';
import { EmptyState } from '#renderer/ui/controls/empty-state.tsx';
import { VisibleName } from '#renderer/ui/controls/visible-text.tsx';
import { KindChip } from '#renderer/ui/kinds/kind-chip.tsx';
import { KindName } from '#renderer/ui/kinds/kind-name.tsx';
import type { FlowLanguage } from '#shared/flow/parse-flow.ts';
import { CodeNodeView } from './code-flow-view.tsx';
import styles from './inspector.module.css';
import { NodeForm } from './node-form.tsx';
import { NodeText } from './node-text.tsx';
import { texts } from './texts.ts';
import { useNodeInRun } from './use-node-in-run.ts';

/** How the selected node is shown. It stays as chosen while the panel shows something else. */
const modeStore = createStore<{ readonly mode: 'form' | 'run' | 'text' }>()(() => ({ mode: 'form' }));

/** The selected node, as a form, as text, and what the shown run did there. */
export function NodeInspector() {
  const wanted = useStore(modeStore, (state) => state.mode);
  const keys = useSelection((state) => state.nodes);
  const flow = useFlowFields('path', 'parsed', 'readable', 'view', 'code', 'report');
  const key = keys.at(-1);
  const view = flow?.view.nodes.find((node) => node.key === key);
  const node = view && flow?.readable ? nodeAt(flow.readable, view.index) : undefined;
  const run = useNodeInRun(node?.id ?? null);
  const latest = useRef({ view, path: flow?.path ?? '' });
  latest.current = { view, path: flow?.path ?? '' };
  const [onPin, onDisable] = useMemo(() => {
    const act = (pin: typeof pinNode) => () => latest.current.view && void pin(latest.current.view, latest.current.path);
    return [act(pinNode), act(disableNode)];
  }, []);
  if (!flow || !view || !node || !flow.readable) {
    return (
      <EmptyState icon={IconPointer} title={texts.node.noneSelected}>
        {texts.node.howToSelect}
      </EmptyState>
    );
  }
  const mode = (wanted === 'run' && run === null) || (wanted === 'text' && flow.code) ? 'form' : wanted;
  const problems = problemsOf(flow).filter(
    (problem) => problem.nodes.includes(node.id) || problem.path === node.path || problem.path.startsWith(`${node.path}/`),
  );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape in any field returns to the canvas
    <div className={styles.panel} {...inspectorMark} onKeyDown={(event) => leavesForm(event) && revealNode(view.key, true)}>
      <div className={styles.head}>
        <KindChip kind={node.kind} size={24} />
        <h2>
          <VisibleName text={view.title} />
        </h2>
        {/* The control of a run takes the kind's room; the chip shows it too. */}
        {(run === null || keys.length > 1) && (
          <span className={styles.kind}>{keys.length > 1 ? texts.node.selected(keys.length) : <KindName kind={node.kind} />}</span>
        )}
        {(!flow.code || run !== null) && (
          <ModeControl mode={mode} hasRun={run !== null} language={flow.code ? null : flow.parsed.language} />
        )}
      </div>
      {problems.map((problem, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: problems have no identity of their own and are replaced as a whole
        <div key={index} className={styles.problem} data-tone={toneOf(problem)}>
          {problem.message}
          {!flow.code && problem.fixes && (
            <div className={styles.fixes}>
              <ProblemFixes problem={problem} />
            </div>
          )}
        </div>
      ))}
      {mode === 'run' && run !== null ? (
        <NodeRun node={run} nested={node.kind === 'flow'} />
      ) : flow.code ? (
        <CodeNodeView key={node.path} node={node} path={flow.path} flow={flow.readable} code={flow.code} />
      ) : mode === 'form' ? (
        <>
          <NodeForm key={node.path} node={node} flow={flow.readable} />
          <SuppliedFields
            key={`${flow.path} ${view.id}`}
            flow={flow.path}
            view={view}
            node={node}
            schemas={flow.readable.schemas}
            onPin={onPin}
            onDisable={onDisable}
          />
        </>
      ) : (
        <NodeText key={node.path} path={flow.path} parsed={flow.parsed} index={node.index} />
      )}
    </div>
  );
}

interface ModeControlProps {
  readonly mode: 'form' | 'run' | 'text';
  readonly hasRun: boolean;
  /** Null for a flow whose text is not edited here. */
  readonly language: FlowLanguage | null;
}

/** Chooses between the form, the run and the text. Memoized: it is not rendered at every key typed into the form. */
const ModeControl = memo(function ModeControl({ mode, hasRun, language }: ModeControlProps) {
  return (
    <SegmentedControl
      size="xs"
      aria-label={hasRun ? texts.formRunOrText : texts.formOrText}
      data={[
        { value: 'form', label: texts.form },
        ...(hasRun ? [{ value: 'run', label: texts.run }] : []),
        ...(language ? [{ value: 'text', label: language === 'json' ? texts.json : texts.yaml }] : []),
      ]}
      value={mode}
      onChange={(value) => modeStore.setState({ mode: value as 'form' | 'run' | 'text' })}
    />
  );
});

/** True for an Escape that leaves the form: not one that closes a list or that the code editor handles. */
function leavesForm({ key, target, defaultPrevented }: KeyboardEvent): boolean {
  if (key !== 'Escape' || defaultPrevented || !(target instanceof Element)) return false;
  return target.getAttribute('aria-expanded') !== 'true' && target.closest('.monaco-editor') === null;
}
