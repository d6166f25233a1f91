import { focusWaitingCard } from '#renderer/inbox/focus-waiting-card.ts';
import { requestRun } from '#renderer/runs/run-request.ts';
import { announce } from '#renderer/stores/announcer.ts';
import { runSessionStore } from '#renderer/stores/run-stores.ts';
import { runSubjectStore } from '#renderer/stores/run-subject.ts';
import { actionOf, isKeptForLater, type RunAction, type RunCommand } from './run-commands.ts';

/** The command that was given last while another one was under way. */
let kept: RunCommand | null = null;

/** Gives a command to the shown run, if it can be given now. One that drives the run is kept while another one is under way. */
export function giveRunCommand(command: RunCommand): void {
  const session = runSessionStore.getState();
  const action = actionOf(command, session, runSubjectStore.getState().flow);
  if (action) {
    kept = null;
    perform(action);
  } else if (isKeptForLater(command, session)) kept = command;
}

/** Gives the command that was kept, once the one before has ended. Answers the function that ends this. */
export function followKeptCommand(): () => void {
  return runSessionStore.subscribe((state, before) => {
    if (!before.call || state.call || kept === null) return;
    const command = kept;
    kept = null;
    const action = actionOf(command, state, runSubjectStore.getState().flow);
    // It was meant for the run as it went on: where that has ended, nobody has asked for a new one.
    if (action && action.type !== 'request') perform(action);
  });
}

/** Runs the failed step again with the flow as it was when the run began, in the pace in which the run was driven. */
export function retryFailedStep(): void {
  const { view, drive, step, ...session } = runSessionStore.getState();
  if (view?.status !== 'error' || view.read_only) return;
  void (drive === 'continue' ? session.continue() : step('over'));
}

function perform(action: RunAction): void {
  const session = runSessionStore.getState();
  switch (action.type) {
    case 'request':
      requestRun(action.flow, action.pace);
      break;
    case 'look':
      session.select(action.seq);
      break;
    case 'continue':
      void session.continue();
      break;
    case 'step':
      void session.step(action.mode);
      break;
    case 'pause':
      void session.pause();
      break;
    case 'stop':
      void session.stop();
      break;
    case 'show_waiting':
      focusWaitingCard();
      announce('The run waits for your answer');
  }
}
