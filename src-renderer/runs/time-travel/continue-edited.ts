import { studio } from '#renderer/api/studio.ts';
import { isDirty } from '#renderer/document/editing/open-flow.ts';
import { editorStore } from '#renderer/document/flows/editor.ts';
import { saveFlow } from '#renderer/document/saving/saving.ts';
import type { RunView } from '#renderer/runs/model/run-fold.ts';
import { shortRunName } from '#renderer/runs/model/run-name.ts';
import { runSessionStore } from '#renderer/runs/model/run-stores.ts';
import { announce } from '#renderer/shell/announcer.ts';
import { noticeDone, noticeFailure, noticeProblem } from '#renderer/shell/notices.ts';
import { panelsStore } from '#renderer/shell/panels.ts';
import type { ForkCheck } from '#shared/contract/time-travel.ts';
import { withNested } from './flow-change.ts';
import { texts } from './texts.ts';
import { openTimeTravelDialog } from './time-travel-dialogs.ts';

/** Whether a run is held inside a step, before a call. */
function isHeld({ stop }: Pick<RunView, 'stop'>): boolean {
  return stop?.point === 'hold';
}

/** Whether a run stands where it can continue with another version of its flow. */
export function canContinueEdited(run: Pick<RunView, 'status' | 'stop'>): boolean {
  return run.status === 'paused' || run.status === 'suspended' || run.status === 'error' || isHeld(run);
}

let busy = false;

/**
 * Continues the shown run with the flow as it is on the screen, in a new run that takes its place. The edited flows are saved first, since a run reads
 * nested flows from their files. Asks only if a state doesn't match the flow, a step in progress starts again, or an earlier step would have another result.
 */
export async function continueWithEditedFlow(): Promise<void> {
  const { view } = runSessionStore.getState();
  if (!view || busy) return;
  if (!canContinueEdited(view)) {
    noticeProblem(texts.continueEdited.failed, texts.continueEdited.notStopped);
    return;
  }
  busy = true;
  try {
    const request = { run_id: view.run_id, seq: view.seq, flow: 'current' as const };
    const isReady = async () => {
      if (!(await saveAll(view.flow_path))) return false;
      if (!needsAttention(await studio.runs.forkCheck({ ...request, compare_past: true }))) return true;
      openTimeTravelDialog({ type: 'fork', run: view, seq: view.seq, flow: 'current', continues: true });
      return false;
    };
    // The step of a held run is in progress, so it can only be replaced once it has left its hold.
    if (!isHeld(view)) await forkInPlace(request, { isReady });
    else if (await isReady()) await forkInPlace(request);
  } catch (thrown) {
    noticeFailure(texts.continueEdited.failed, thrown);
  } finally {
    busy = false;
  }
}

function needsAttention({ misfits, restarts, first_difference: past }: ForkCheck): boolean {
  return misfits.length > 0 || restarts || (past?.divergence ?? null) !== null;
}

/** A fork that continues the shown run. */
type ContinuingFork = Omit<Parameters<typeof studio.runs.fork>[0], 'continues'>;

interface ForkInPlaceOptions {
  /** How the new run is driven; as the shown one was, unless given. */
  readonly how?: 'step' | 'continue';
  /** Asked before the fork is made, while no command can move the shown run. */
  readonly isReady?: () => Promise<boolean>;
}

/**
 * Creates a fork that takes the place of the shown run, on the same canvas and in the same frame, and drives it as that run was driven. A held run leaves its
 * step first, without making the call at which it is held.
 */
export async function forkInPlace(request: ContinuingFork, { how, isReady }: ForkInPlaceOptions = {}): Promise<void> {
  const { view: former, drive } = runSessionStore.getState();
  const held = former !== null && former.run_id === request.run_id && isHeld(former);
  if (held) {
    await studio.runs.leaveHold({ run_id: request.run_id });
    await commandEnded();
  }
  const session = runSessionStore.getState();
  const replaced = await session.replace(async () => {
    if (isReady && !(await isReady())) return null;
    return (await studio.runs.fork({ ...request, continues: true })).run_id;
  });
  const { view } = runSessionStore.getState();
  if (!replaced || !view) return;
  const names = [shortRunName(request.run_id), shortRunName(view.run_id)] as const;
  if (held) noticeDone(texts.continueEdited.leftHold(names[0]));
  announce(texts.continueEdited.continued(...names));
  if (view.status === 'suspended') panelsStore.getState().showRight('waiting');
  else await ((how ?? drive) === 'continue' ? session.continue() : session.step('over'));
}

/** Resolves once no command of the session is in progress: a step ends when its run has left its hold. */
function commandEnded(): Promise<void> {
  return new Promise((resolve) => {
    const stop = runSessionStore.subscribe(({ call }) => check(call));
    const check = (call: unknown) => {
      if (call !== null) return;
      stop();
      resolve();
    };
    check(runSessionStore.getState().call);
  });
}

/** Saves a flow and the nested flows that are open. False when one of them could not be saved; the canvas or a notice says why. */
async function saveAll(path: string): Promise<boolean> {
  const { flows } = editorStore.getState();
  const flow = flows[path];
  if (!flow) return true;
  const unsaved = withNested(flow, flows).filter((open) => isDirty(open) || open.disk);
  for (const open of unsaved) {
    if (await saveFlow(open.path)) continue;
    if (editorStore.getState().flows[open.path]?.disk) {
      noticeProblem(texts.continueEdited.notSaved(open.path), texts.continueEdited.conflict);
    }
    return false;
  }
  if (unsaved.length > 0) announce(texts.continueEdited.saved);
  return true;
}
