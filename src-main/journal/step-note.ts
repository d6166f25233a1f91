import type { StepRecord } from '#main/engine/ports/recorder.ts';
import { readApproval } from '#main/engine/tool-calls/approval.ts';
import type { NamedState } from '#shared/flow/graph.ts';
import type { Json } from '#shared/json.ts';
import { enclosingFrameKey } from '#shared/run/node-id.ts';
import type { TakenAnswer } from '#shared/run/snapshot.ts';
import { sameValue } from '#shared/value-changes.ts';

/** Returns a short timeline note for a record: `2 calls`, `write_file waits`, `write_file approved`, `answered`; inside a frame `Item → Out`; of an agent whose flows run next `calls flows`. */
export function noteOf(step: StepRecord): string {
  if (step.type === 'suspended') {
    const first = step.control.suspensions[0];
    const asked = first && (first.inner_tool_id ?? first.tool_id);
    return asked ? `${asked.slice(asked.lastIndexOf('::') + 2)} waits` : 'waits';
  }
  if (step.type === 'resumed') return answerNote(step.control.answers[0]);
  const failed = step.control.frames[enclosingFrameKey(step.node) ?? '']?.call?.error ?? null;
  if (failed) return `failed: ${failed.variant}`;
  if (step.phase === 'compact') return 'summary';
  if (step.phase === 'guard') return 'check';
  if (step.phase === 'reason') {
    const calls = step.control.agents[step.node]?.pending.length ?? 0;
    return calls === 0 ? 'text' : `${calls} ${calls === 1 ? 'call' : 'calls'}`;
  }
  if (step.phase === 'act') return opensFrames(step) ? 'calls flows' : (step.inner ?? step).produced.length > 0 ? 'finished' : 'results';
  return step.inner ? `${names(step.inner.consumed)} → ${names(step.inner.produced)}` : '';
}

/** Whether the record is that of an agent whose called flows run next. */
function opensFrames({ node, control }: StepRecord): boolean {
  return control.agents[node]?.phase === 'act';
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
