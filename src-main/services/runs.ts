import type { CurrentFolder } from '#main/services/workspace/current-folder.ts';
import { studio } from './implementer.ts';
import { matrixRouter } from './matrix.ts';
import { timeTravelRouter } from './time-travel.ts';

/** Runs of the open folder: driving and reading them. */
export function runsRouter(current: Pick<CurrentFolder, 'required'>) {
  const runs = async () => (await current.required()).runs;
  const record = async () => (await current.required()).background;
  return {
    ...timeTravelRouter(current),
    ...matrixRouter(current),
    start: studio.runs.start.handler(async ({ input }) => (await runs()).start(input)),
    list: studio.runs.list.handler(async ({ input }) => (await runs()).list(input)),
    get: studio.runs.get.handler(async ({ input }) => (await runs()).detail(input.run_id)),
    step: studio.runs.step.handler(async ({ input }) => (await runs()).step(input.run_id, input.mode)),
    continue: studio.runs.continue.handler(async ({ input }) => (await runs()).continue(input.run_id, input.until)),
    continueHeld: studio.runs.continueHeld.handler(async ({ input }) => (await runs()).continueHeld(input.run_id, input.mode)),
    leaveHold: studio.runs.leaveHold.handler(async ({ input }) => (await runs()).leaveHold(input.run_id)),
    pause: studio.runs.pause.handler(async ({ input }) => (await runs()).pause(input.run_id)),
    stop: studio.runs.stop.handler(async ({ input }) => (await runs()).stop(input.run_id)),
    resume: studio.runs.resume.handler(async ({ input }) => {
      const { background, runs } = await current.required();
      const detail = await runs.resume(input);
      await background.call('discardAnswerDraft', { run_id: input.run_id, tool_call_id: input.tool_call_id });
      return detail;
    }),
    readAnswerDraft: studio.runs.readAnswerDraft.handler(async ({ input }) => (await record()).call('readAnswerDraft', input)),
    saveAnswerDraft: studio.runs.saveAnswerDraft.handler(async ({ input }) => (await record()).call('saveAnswerDraft', input)),
    timeline: studio.runs.timeline.handler(async ({ input }) => (await record()).call('timeline', input)),
    stateAt: studio.runs.stateAt.handler(async ({ input }) => (await record()).call('stateAt', input)),
    frames: studio.runs.frames.handler(async ({ input }) => (await record()).call('frames', input)),
    iterations: studio.runs.iterations.handler(async ({ input }) => (await record()).call('iterations', input)),
    folds: studio.runs.folds.handler(async ({ input }) => (await record()).call('folds', input)),
    rounds: studio.runs.rounds.handler(async ({ input }) => (await record()).call('rounds', input)),
    findRound: studio.runs.findRound.handler(async ({ input }) => (await record()).call('findRound', input)),
    iteration: studio.runs.iteration.handler(async ({ input }) => (await record()).call('iteration', input)),
    findIteration: studio.runs.findIteration.handler(async ({ input }) => (await record()).call('findIteration', input)),
    ranBetween: studio.runs.ranBetween.handler(async ({ input }) => (await record()).call('ranBetween', input)),
    lastInside: studio.runs.lastInside.handler(async ({ input }) => (await record()).call('lastInside', input)),
    turns: studio.runs.turns.handler(async ({ input }) => (await record()).call('turns', input)),
    conversation: studio.runs.conversation.handler(async ({ input }) => (await record()).call('conversation', input)),
    preview: studio.runs.preview.handler(async ({ input }) => (await runs()).preview(input.run_id, input.tool_call_id, input.input)),
    events: studio.runs.events.handler(async ({ input, signal }) => (await runs()).events(input.run_id, input.after_seq, signal)),
    ahead: studio.runs.ahead.handler(async ({ input, signal }) => (await runs()).ahead(input.run_id, signal)),
    watch: studio.runs.watch.handler(async ({ signal }) => (await runs()).changes(signal)),
    remove: studio.runs.remove.handler(async ({ input }) => {
      await (await runs()).remove(input.run_id);
      await (await record()).call('sweepAnswerDrafts');
      return {};
    }),
  };
}
