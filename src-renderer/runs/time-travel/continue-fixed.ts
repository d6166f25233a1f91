import { studio } from '#renderer/api/studio.ts';
import { isDirty, type OpenFlow } from '#renderer/document/editing/open-flow.ts';
import { type EditorState, editorStore } from '#renderer/document/flows/editor.ts';
import { flowPathIn } from '#renderer/document/graph/flow-path.ts';
import { saveFlow } from '#renderer/document/saving/saving.ts';
import { showRunNow } from '#renderer/runs/model/open-run.ts';
import type { RunView } from '#renderer/runs/model/run-fold.ts';
import { runSessionStore } from '#renderer/runs/model/run-stores.ts';
import { announce } from '#renderer/shell/announcer.ts';
import { noticeFailure, noticeProblem } from '#renderer/shell/notices.ts';
import { panelsStore } from '#renderer/shell/panels.ts';
import { texts } from './texts.ts';
import { forkShownRun } from './time-travel-actions.ts';

type FailedRun = Pick<RunView, 'flow_path' | 'flow_text'>;

/** How the flow of a run compares with the open one: `fixed` when it was edited since the run started, `nested` when only files that it names may have been. */
export type FlowChange = 'fixed' | 'nested' | 'none';

/** Compares a run's flow with the open flows, saved or not. */
export function flowChange({ flow_path, flow_text }: FailedRun, { flows }: Pick<EditorState, 'flows'>): FlowChange {
  const flow = flows[flow_path];
  if (!flow) return 'none';
  const [, ...nested] = withNested(flow, flows);
  if (flow.parsed.text !== flow_text || nested.some(isDirty)) return 'fixed';
  return nestedPaths(flow).length > 0 ? 'nested' : 'none';
}

let busy = false;

/**
 * Continues the shown failed run from before the failed step, as a fork with the open flow, which is saved first. Asks for states only when they
 * don't match that flow.
 */
export async function continueWithFixedFlow(): Promise<void> {
  const { view, drive } = runSessionStore.getState();
  if (view?.status !== 'error' || busy) return;
  busy = true;
  try {
    if (!(await saveAll(view.flow_path))) return;
    const from = { run_id: view.run_id, seq: view.seq, flow: 'current' as const };
    const { misfits } = await studio.runs.forkCheck(from);
    if (misfits.length > 0) {
      forkShownRun(view.seq, 'current');
      return;
    }
    const fork = await studio.runs.fork(from);
    await showRunNow({ run_id: fork.run_id, flow_path: view.flow_path });
    await driveFork(drive);
  } catch (thrown) {
    noticeFailure(texts.continueFixed.failed, thrown);
  } finally {
    busy = false;
  }
}

async function driveFork(drive: 'step' | 'continue'): Promise<void> {
  const session = runSessionStore.getState();
  if (session.view?.status === 'suspended') panelsStore.getState().showRight('waiting');
  else await (drive === 'continue' ? session.continue() : session.step('over'));
}

/** Saves a flow and the nested flows that are open. False when one of them could not be saved; the canvas or a notice says why. */
async function saveAll(path: string): Promise<boolean> {
  const { flows } = editorStore.getState();
  const flow = flows[path];
  if (!flow) return true;
  for (const open of withNested(flow, flows)) {
    if (!isDirty(open) && !open.disk) continue;
    if (await saveFlow(open.path)) continue;
    if (editorStore.getState().flows[open.path]?.disk) {
      noticeProblem(texts.continueFixed.notSaved(open.path), texts.continueFixed.conflict);
    }
    return false;
  }
  announce(texts.continueFixed.saved);
  return true;
}

/** A flow and the open ones that it runs, directly or through others. */
function withNested(flow: OpenFlow, flows: EditorState['flows']): readonly OpenFlow[] {
  const found = new Set([flow]);
  for (const open of found) {
    for (const path of nestedPaths(open)) {
      const inner = flows[path];
      if (inner) found.add(inner);
    }
  }
  return [...found];
}

function nestedPaths({ path, parsed }: OpenFlow): readonly string[] {
  return (parsed.outline.nodes ?? []).flatMap(({ raw }) => {
    const named = typeof raw.flow === 'string' ? flowPathIn(path, raw.flow) : null;
    return named === null ? [] : [named];
  });
}
