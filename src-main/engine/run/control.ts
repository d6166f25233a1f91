import type { Draft } from '#main/engine/step/draft.ts';
import { framesAfter } from '#main/engine/step/each-cursor.ts';
import type { Step } from '#main/engine/step/step.ts';
import type { Control, Counters } from '#shared/run/snapshot.ts';

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
  const { node, cursor } = step;
  const frames = cursor ? framesAfter(control.frames, cursor, draft.type === 'finished' ? draft.produced : undefined) : control.frames;
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
  return {
    agents: draft.type === 'phase' ? { ...control.agents, [node]: draft.agent } : without(control.agents, node),
    // An `each` node that has finished is in no item any more.
    frames: without(frames, node),
    handlers: without(control.handlers, node),
    suspensions: control.suspensions.length === 0 ? control.suspensions : [],
    answers,
    counters,
    script_positions: draft.usage ? { ...control.script_positions, [node]: draft.usage.next_turn } : control.script_positions,
  };
}

function countersAfter(counters: Counters, { spent }: Step, draft: Draft, seconds: number): Counters {
  const usage = draft.type === 'suspended' ? undefined : draft.usage;
  return {
    steps: counters.steps + spent.steps + (draft.type === 'suspended' ? 0 : 1),
    seconds: counters.seconds + seconds,
    model_calls: counters.model_calls + spent.model_calls + (usage?.model_calls ?? 0),
    tokens: counters.tokens + spent.tokens + (usage?.tokens ?? 0),
  };
}

function without<Value>(record: Readonly<Record<string, Value>>, key: string): Readonly<Record<string, Value>> {
  if (!Object.hasOwn(record, key)) return record;
  const { [key]: _gone, ...rest } = record;
  return rest;
}
