import { sumCounters } from '#main/engine/step/counters.ts';
import type { Draft } from '#main/engine/step/draft.ts';
import { callLevel, framesAfter, framesAfterFailure, withoutInside } from '#main/engine/step/frame-cursor.ts';
import type { Step } from '#main/engine/step/step.ts';
import type { Control, Counters, Frame } from '#shared/run/snapshot.ts';

/** The control part of a run that has not made a step. */
export const initialControl: Control = {
  agents: {},
  frames: {},
  handlers: {},
  suspensions: [],
  answers: [],
  counters: { steps: 0, seconds: 0, model_calls: 0, tokens: 0 },
  script_positions: {},
};

/** The control part after a step that took `seconds`. Parts that stay the same stay the same object. */
export function controlAfter(control: Control, step: Step, draft: Draft, seconds: number): Control {
  const { node } = step;
  const frames = framesOf(control.frames, step, draft, seconds);
  const counters = countersAfter(control.counters, step, draft, seconds);
  const answers = control.answers.length === 0 ? control.answers : [];
  if (draft.type === 'suspended') {
    return {
      ...control,
      frames,
      counters,
      answers,
      agents: draft.agent ? { ...control.agents, [node]: draft.agent } : control.agents,
      handlers: draft.handler ? { ...control.handlers, [node]: draft.handler } : control.handlers,
      suspensions: draft.suspensions,
    };
  }
  const after = {
    agents: draft.type === 'phase' ? { ...control.agents, [node]: draft.agent } : without(control.agents, node),
    // An `each` node that has finished is in no item any more.
    frames: without(frames, node),
    handlers: without(control.handlers, node),
    suspensions: control.suspensions.length === 0 ? control.suspensions : [],
    answers,
    counters,
    script_positions: positionsAfter(control.script_positions, node, draft),
  };
  return draft.type === 'failed_call' && step.cursor ? withoutFailed(after, callLevel(step.cursor)?.id ?? '') : after;
}

function framesOf(frames: Control['frames'], { cursor, run }: Step, draft: Draft, seconds: number): Control['frames'] {
  let after = frames;
  const framed = cursor && { cursor, seconds, counts: run.engine > 2 && draft.type !== 'suspended' };
  if (framed && draft.type === 'failed_call') after = framesAfterFailure(frames, framed, draft.error);
  else if (framed) after = framesAfter(frames, framed, draft.type === 'finished' ? draft.produced : undefined);
  if (draft.type === 'phase' && draft.opens) after = { ...after, ...draft.opens };
  return closedFrames(draft).reduce<Readonly<Record<string, Frame>>>(without, after);
}

function closedFrames(draft: Draft): readonly string[] {
  return (draft.type === 'finished' || draft.type === 'phase' ? draft.closes : undefined) ?? [];
}

/** Positions of models in a flow that is called end with the call: another call starts from the beginning. */
function positionsAfter(positions: Control['script_positions'], node: string, draft: Draft): Control['script_positions'] {
  const kept = closedFrames(draft).reduce(withoutInside, positions);
  const usage = draft.type === 'finished' || draft.type === 'phase' ? draft.usage : undefined;
  return usage ? { ...kept, [node]: usage.next_turn } : kept;
}

/** Ends all that was in progress inside a called flow that has failed. */
function withoutFailed(control: Control, frame: string): Control {
  return {
    ...control,
    agents: withoutInside(control.agents, frame),
    frames: withoutInside(control.frames, frame),
    handlers: withoutInside(control.handlers, frame),
  };
}

function countersAfter(counters: Counters, { spent }: Step, draft: Draft, seconds: number): Counters {
  const usage = draft.type === 'finished' || draft.type === 'phase' ? draft.usage : undefined;
  const { model_calls = 0, tokens = 0, cost } = usage ?? {};
  const own = { steps: draft.type === 'suspended' ? 0 : 1, seconds, model_calls, tokens, ...(cost !== undefined && { cost }) };
  return sumCounters(sumCounters(counters, own), { ...spent, seconds: 0 });
}

function without<Value>(record: Readonly<Record<string, Value>>, key: string): Readonly<Record<string, Value>> {
  if (!Object.hasOwn(record, key)) return record;
  const { [key]: _gone, ...rest } = record;
  return rest;
}
