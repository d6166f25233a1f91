import type { StepRecord } from '#main/engine/ports/recorder.ts';
import { readApproval } from '#main/engine/tool-calls/approval.ts';
import type { NamedState } from '#shared/flow/graph.ts';
import type { Json } from '#shared/json.ts';
import type { TakenAnswer } from '#shared/run/snapshot.ts';
import { sameValue } from '#shared/value-changes.ts';

/** Returns a short timeline note for a record: `2 calls`, `write_file waits`, `write_file approved`, `answered`; inside an `each` node `Item → Out`. */
export function noteOf(step: StepRecord): string {
  if (step.type === 'suspended') {
    const first = step.control.suspensions[0];
    return first ? `${first.tool_id.slice(first.tool_id.lastIndexOf('::') + 2)} waits` : 'waits';
  }
  if (step.type === 'resumed') return answerNote(step.control.answers[0]);
  if (step.phase === 'reason') {
    const calls = step.control.agents[step.node]?.pending.length ?? 0;
    return calls === 0 ? 'text' : `${calls} ${calls === 1 ? 'call' : 'calls'}`;
  }
  if (step.phase === 'act') return (step.inner ?? step).produced.length > 0 ? 'finished' : 'results';
  return step.inner ? `${names(step.inner.consumed)} → ${names(step.inner.produced)}` : '';
}

function answerNote(answer: TakenAnswer | undefined): string {
  if (answer?.suspension.reason !== 'approval') return 'answered';
  const { approve, input } = readApproval(answer.payload);
  const { value } = answer.suspension;
  const { tool, input: asked } = value as { readonly tool: string; readonly input: Json };
  if (!approve) return `${tool} refused`;
  return input === undefined || sameValue(input, asked) ? `${tool} approved` : `${tool} approved with edits`;
}

function names(states: readonly NamedState[]): string {
  return states.map(({ name }) => name).join(' + ');
}
