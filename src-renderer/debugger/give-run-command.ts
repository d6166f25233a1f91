import { requestRun } from '#renderer/runs/run-request.ts';
import { announce } from '#renderer/stores/announcer.ts';
import { panelsStore } from '#renderer/stores/panels.ts';
import { runSessionStore } from '#renderer/stores/run-stores.ts';
import { runSubjectStore } from '#renderer/stores/run-subject.ts';
import { actionOf, type RunAction, type RunCommand } from './run-commands.ts';

/** Gives a command to the shown run, if it can be given now. */
export function giveRunCommand(command: RunCommand): void {
  const action = actionOf(command, runSessionStore.getState(), runSubjectStore.getState().flow);
  if (action) perform(action);
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
      panelsStore.getState().showRight('waiting');
      announce('The run waits for an answer. It is in the Waiting panel.');
  }
}
