import type { FinishedDraft } from '#main/engine/step/draft.ts';
import type { StateMap } from '#main/engine/step/state-map.ts';
import type { StatePlan } from '#main/engine/step/state-plan.ts';
import type { Step } from '#main/engine/step/step.ts';
import type { NamedState } from '#shared/flow/graph.ts';
import { toJson } from '#shared/json.ts';
import { FlowError, fromTransferable, ToolError, type ToolErrorVariant } from '#shared/run/error.ts';
import type { SuppliedMark } from '#shared/run/supplied.ts';
import { phaseOf } from './step-events.ts';

/**
 * Returns what a pin puts in the place of a node's output, undefined where the node runs. A step that continues from an answer runs, and so does
 * an agent's act: its calls have begun. Throws
 * `FlowError` `SerializeError` for a pin whose value doesn't fit.
 */
export function suppliedDraft(step: Step, states: StateMap): FinishedDraft | Promise<FinishedDraft> | undefined {
  const { ctx, seq, plan, node: id, values, run } = step;
  if (step.answer || phaseOf(step) === 'act') return undefined;
  const supplied = ctx.supply?.output({ seq, key: outputKey, node: plan.node, id, values });
  if (!supplied) return undefined;
  const { mark } = supplied;
  step.supplied = mark;
  const produced = supplied.produced().map(({ name, value }) => outputOf(step, states, name, value, mark));
  const draft = finished(step, produced);
  // The steps of a called flow have no records of their own.
  return run.caller ? recorded(step, mark, draft) : draft;
}

/** Key of an output that is recorded as an effect. */
const outputKey = 'output';

function finished(step: Step, produced: readonly NamedState[]): FinishedDraft {
  const phase = phaseOf(step);
  return { type: 'finished', produced, ...(phase && { phase }) };
}

function outputOf(step: Step, states: StateMap, name: string, value: unknown, { id }: SuppliedMark): NamedState {
  const state: StatePlan | undefined = states.plan.states.get(name);
  if (!state)
    throw new FlowError('SerializeError', `The pin ${id} of ${step.node} supplies ${name}, which the flow doesn't have. Set it again.`, {
      node: step.node,
    });
  try {
    return step.output(state, value);
  } catch (error) {
    if (!(error instanceof FlowError)) throw error;
    throw new FlowError(error.variant, `The pin ${id} doesn't fit: ${error.message} Change or remove the pin.`, error.options);
  }
}

async function recorded(step: Step, supplied: SuppliedMark, draft: FinishedDraft): Promise<FinishedDraft> {
  const { node } = step;
  const effect = { key: outputKey, kind: 'handler', node, name: node, input: [...step.values], supplied } as const;
  const outcome = await step.effect(effect, async () => toJson(draft.produced));
  if ('error' in outcome) throw fromTransferable(outcome.error);
  return draft;
}

/** The failure of a step; one whose output a pin supplied says so, since the node itself may not fail. */
export function suppliedFailure<Failure extends FlowError | ToolError>({ supplied }: Step, failure: Failure): Failure {
  if (!supplied || failure.options.details?.supplied !== undefined) return failure;
  const details = { ...failure.options.details, supplied: toJson(supplied) };
  const { variant, message } = failure;
  const marked =
    failure instanceof FlowError
      ? new FlowError(failure.variant, message, { ...failure.options, details })
      : new ToolError(variant as ToolErrorVariant, message, { ...failure.options, details });
  return marked as Failure;
}
