import { requestRun } from '#renderer/runs/dialogs/run-request.ts';
import { focusWaitingCard } from '#renderer/runs/inbox/focus-waiting-card.ts';
import { runSessionStore } from '#renderer/runs/model/run-stores.ts';
import { runSubjectStore } from '#renderer/runs/model/run-subject.ts';
import { announce } from '#renderer/shell/announcer.ts';
import { actionOf, type RunAction, type RunCommand, waitsForRunning } from './run-commands.ts';
import { texts } from './texts.ts';

/** The last command that was given while another one was running. */
let pending: RunCommand | null = null;

/** Gives a command to the shown run, if it is available now. One that drives the run waits until the running one has finished. */
export function giveRunCommand(command: RunCommand): void {
  const session = runSessionStore.getState();
  const action = actionOf(command, session, runSubjectStore.getState().flow);
  if (action) {
    pending = null;
    perform(action);
  } else if (waitsForRunning(command, session)) pending = command;
}

/** Gives the pending command once the running one has finished. Returns the function that stops this. */
export function followPendingCommand(): () => void {
  return runSessionStore.subscribe((state, before) => {
    if (!before.call || state.call || pending === null) return;
    const command = pending;
    pending = null;
    const action = actionOf(command, state, runSubjectStore.getState().flow);
    // It was meant for the run in progress: when that has ended, it must not start a new one.
    if (action && action.type !== 'request') perform(action);
  });
}

/** Retries the failed step with the original flow, stepping or continuing as before. */
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
    case 'continue_held':
      void session.continueHeld(action.mode);
      break;
    case 'pause':
      void session.pause();
      break;
    case 'stop':
      void session.stop();
      break;
    case 'show_waiting':
      focusWaitingCard();
      announce(texts.news.waitingForAnswer);
  }
}
