import { ReactFlowProvider } from '@xyflow/react';
import { currentFlow } from '#renderer/document/flows/editor.ts';
import { revealNode } from '#renderer/document/flows/selection.ts';
import { useCurrentFlow } from '#renderer/document/flows/use-current-flow.ts';
import { PlaybackBar } from '#renderer/editor/playback/playback-bar.tsx';
import { CoverageBar } from '#renderer/runs/layers/coverage-bar.tsx';
import { Welcome } from '#renderer/workspace/folder/welcome.tsx';
import { mayBeWorkflow } from '#shared/flow/flow-file.ts';
import { Breadcrumb } from './breadcrumb.tsx';
import styles from './canvas-area.module.css';
import { CanvasTabs } from './canvas-tabs.tsx';
import { BrokenWorkflowNotice, CodeFlowNotice } from './code-flow-notice.tsx';
import { DiskNotice } from './disk-notice.tsx';
import { ExtractDialog } from './extract-dialog.tsx';
import { FlowCanvas } from './flow-canvas.tsx';
import { ImportConflictsDialog } from './import-conflicts-dialog.tsx';
import { ImportProblemsDialog } from './import-problems-dialog.tsx';
import { PastFrameOffer } from './past-frame-offer.tsx';
import { ProofBadge } from './proof-badge.tsx';
import { QuickAdd } from './quick-add.tsx';
import { RenameDialog } from './rename-dialog.tsx';
import { texts } from './texts.ts';
import { UnreadableFlowNotice } from './unreadable-flow-notice.tsx';
import { useFoldedFlow } from './use-folded-flow.ts';
import { WorkflowNotice } from './workflow-notice.tsx';

/** The centre of the window: tabs, notices about the file on disk, the canvas. */
export function CanvasArea() {
  const { flow, regions } = useFoldedFlow() ?? {};
  return (
    <>
      <CanvasTabs />
      <Breadcrumb />
      <ShownDiskNotice />
      <WorkflowNotice />
      <PlaybackBar />
      <CoverageBar onShow={showNode} />
      {flow ? (
        <div className={styles.area}>
          {/* A flow in code may appear only after it is trusted or fixed: the new key fits it into view then. */}
          <ReactFlowProvider key={`${flow.path} ${flow.code !== null && flow.view.nodes.length === 0}`}>
            <FlowCanvas flow={flow} regions={regions ?? []} />
            <QuickAdd />
          </ReactFlowProvider>
          <EmptyCanvas />
          <ProofBadge />
          <PastFrameOffer />
        </div>
      ) : (
        <Welcome />
      )}
      <RenameDialog />
      <ExtractDialog />
      <ImportConflictsDialog />
      <ImportProblemsDialog />
    </>
  );
}

/** Selects a node of the shown flow, by its id, and brings it into sight. */
function showNode(id: string): void {
  const key = currentFlow()?.view.nodes.find((node) => node.id === id)?.key;
  if (key !== undefined) revealNode(key);
}

function ShownDiskNotice() {
  const flow = useCurrentFlow((open) => open);
  return flow && <DiskNotice flow={flow} />;
}

/** The empty state of the canvas. */
function EmptyCanvas() {
  const flow = useCurrentFlow((open) => (open?.view.nodes.length === 0 ? open : null));
  if (!flow) return null;
  if (flow.code) return mayBeWorkflow(flow.path) ? <BrokenWorkflowNotice code={flow.code} /> : <CodeFlowNotice code={flow.code} />;
  if (flow.parsed.root === null) return <UnreadableFlowNotice flow={flow} />;
  const [before, key, after] = texts.noNodes;
  return (
    <div className={styles.empty}>
      {before}
      <kbd>{key}</kbd>
      {after}
    </div>
  );
}
