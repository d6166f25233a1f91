import { hasEnded, isActive } from '#renderer/runs/model/run-fold.ts';
import { wayInto } from '#renderer/runs/model/run-inside.ts';
import type { RunSessionState, StartPace, StepMode } from '#renderer/runs/model/run-session.ts';
import type { RunSubject } from '#renderer/runs/model/run-subject.ts';
import { isInsideFrame } from '#shared/run/node-id.ts';

export type RunCommand = 'run' | 'continue' | 'over' | 'into' | 'out' | 'back' | 'pause' | 'stop';

/** Keys of the commands, as `isShortcut` reads them. F5 continues, or runs where nothing is to be continued. */
export const runShortcuts: Record<RunCommand, string> = {
  run: 'Ctrl+Enter',
  continue: 'F5',
  over: 'F10',
  into: 'F11',
  out: 'Shift+F11',
  back: 'Alt+F10',
  pause: 'F6',
  stop: 'Shift+F5',
};

export const runCommands = Object.keys(runShortcuts) as RunCommand[];

/** What a command does. */
export type RunAction =
  /** Ask for the input of a new run. */
  | { readonly type: 'request'; readonly flow: RunSubject; readonly pace: StartPace }
  /** View a step; null is the latest. */
  | { readonly type: 'look'; readonly seq: number | null }
  | { readonly type: 'continue' }
  | { readonly type: 'step'; readonly mode: StepMode }
  /** Continues a run that is held inside a step. */
  | { readonly type: 'continue_held'; readonly mode: StepMode | 'continue' }
  | { readonly type: 'pause' }
  | { readonly type: 'stop' }
  /** The run continues once the user has answered: show the question. */
  | { readonly type: 'show_waiting' };

type Session = Pick<RunSessionState, 'view' | 'call' | 'selected' | 'pausing' | 'stopping'>;

/** The run that the commands are about: the shown one, if it is the shown flow's, or that of a flow around it. */
export function commandedRun({ view }: Pick<Session, 'view'>, flow: RunSubject | null): Session['view'] {
  return view && (!flow || wayInto(view, flow)) ? view : null;
}

/** The flow that a new run is of: inside a run that is shown, that run's. */
function subjectOf({ view }: Pick<Session, 'view'>, flow: RunSubject | null): RunSubject | null {
  return (view && flow?.within?.find((step) => step.flow.path === view.flow_path)?.flow) || flow;
}

/** Whether a step can lead out of something: an agent that has begun, or an item of an `each` node, whose last record is of the `each` node itself. */
function isInside({ agents, timeline }: NonNullable<Session['view']>): boolean {
  return Object.keys(agents).length > 0 || isInsideFrame(timeline.at(-1)?.node ?? '');
}

/** What a command does now; null when it is not available. */
export function actionOf(command: RunCommand, session: Session, flow: RunSubject | null): RunAction | null {
  const run = commandedRun(session, flow);
  const idle = session.call === null;
  // A read-only run is like one that has ended.
  const under = run !== null && !hasEnded(run.status) && !run.read_only;
  const running = (run !== null && isActive(run.status)) || session.call === 'step';
  const past = run ? session.selected : null;
  const held = under && past === null && run.stop?.point === 'hold';
  const subject = subjectOf(session, flow);
  const request = (pace: StartPace): RunAction | null => (subject && idle ? { type: 'request', flow: subject, pace } : null);

  switch (command) {
    case 'run':
      return request('continue');
    case 'pause':
      return under && running && !held && !session.pausing ? { type: 'pause' } : null;
    case 'stop':
      return under && !session.stopping ? { type: 'stop' } : null;
    case 'back': {
      const seq = run ? (past ?? run.seq) : 0;
      return seq > 0 ? { type: 'look', seq: seq - 1 } : null;
    }
    case 'continue':
      if (held) return { type: 'continue_held', mode: 'continue' };
      if (past !== null) return { type: 'look', seq: null };
      if (!under) return request('continue');
      break;
    case 'over':
    case 'into':
      if (held) return { type: 'continue_held', mode: command };
      // In the past, steps only move the selection; nothing runs again.
      if (past !== null) return { type: 'look', seq: past + 1 };
      if (!under) return request('pause');
      break;
    case 'out':
      if (held) return { type: 'continue_held', mode: 'out' };
      if (past !== null || !under || !isInside(run)) return null;
  }
  if (!idle || running) return null;
  if (run.status === 'suspended') return { type: 'show_waiting' };
  return command === 'continue' ? { type: 'continue' } : { type: 'step', mode: command };
}

const driving: readonly RunCommand[] = ['continue', 'over', 'into', 'out'];

/** Whether a command that is not available yet is given once the running one has finished, so that no step of a fast user is lost. */
export function waitsForRunning(command: RunCommand, { call, selected }: Pick<Session, 'call' | 'selected'>): boolean {
  return selected === null && (call === 'start' || call === 'step' || call === 'answer') && driving.includes(command);
}
