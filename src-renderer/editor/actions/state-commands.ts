import { goToWrite } from '#renderer/runs/lineage/go-to-write.ts';
import { type StateOfRun, traceState } from '#renderer/runs/lineage/lineage-store.ts';
import { texts } from '#renderer/runs/lineage/texts.ts';
import { stateInRun, wayInto } from '#renderer/runs/model/run-inside.ts';
import { runSessionStore } from '#renderer/runs/model/run-stores.ts';
import { runSubjectStore } from '#renderer/runs/model/run-subject.ts';
import type { Command, MenuPlace } from '#renderer/shell/command.ts';
import { menuSubject } from '#renderer/shell/menu-store.ts';
import { firstReason, needsRun, needsState, selectedNode, subjectState } from './why-not.ts';

/** The state or value of the shown run that a command is about: that of its menu, else of the selected wire or node, as it was at the shown step. */
function stateOfRun(): StateOfRun | null {
  const { value } = menuSubject();
  if (value) return value;
  const name = subjectState() ?? selectedNode()?.inputs[0]?.state;
  const { view, selected, shown } = runSessionStore.getState();
  const within = view && wayInto(view, runSubjectStore.getState().flow);
  if (!view || !within || name === undefined) return null;
  const seq = selected ?? view.seq;
  return { run_id: view.run_id, seq, ...stateInRun(view, selected === null ? 'now' : { seq, state: shown }, within, name) };
}

function needsValue(): string | null {
  return menuSubject().value ? null : firstReason(needsRun, needsState, () => (stateOfRun() ? null : texts.notInRun))();
}

const places: readonly MenuPlace[] = ['state', 'token', 'port', 'wire'];

function command(id: string, title: string, short: string, act: (state: StateOfRun) => Promise<void>): Command {
  return {
    id,
    title,
    short,
    section: 'Debug',
    where: places,
    whyNot: needsValue,
    run: () => {
      const state = stateOfRun();
      if (state) void act(state);
    },
  };
}

/** Commands for a state of the shown run, or a value in it. */
export const stateCommands: readonly Command[] = [
  command('who_wrote', texts.commands.who, texts.who, (state) => traceState(state, 'back')),
  command('who_used', texts.commands.used, texts.used, (state) => traceState(state, 'forth')),
  command('previous_write', texts.commands.previousWrite, texts.previousWrite, (state) => goToWrite(state, 'previous')),
  command('next_write', texts.commands.nextWrite, texts.nextWrite, (state) => goToWrite(state, 'next')),
];
