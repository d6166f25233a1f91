import { type EventRow, readNames } from '#main/journal/rows.ts';
import type { RunEvent } from '#shared/runtime/event.ts';
import { nodeEnter, nodeExit } from '#shared/runtime/step-frame.ts';

/**
 * All events of a record: those that it holds (`inside`), between the one with which its node began and the one with which it ended. These two
 * are made of the row; rows inside `each` nodes hold their end, rows of older programs both. `begins`: the step goes on from no answer.
 */
export function eventsOf(runId: string, row: EventRow, inside: readonly RunEvent[], begins: boolean, path: string): RunEvent[] {
  const events = [...inside];
  if (begins && row.type !== 'resumed' && !events.some((event) => isOwn(event, 'node_enter'))) events.unshift(nodeEnter(runId, row));
  if (row.type === 'transition' && !events.some((event) => isOwn(event, 'node_exit'))) {
    events.push(nodeExit(runId, { ...row, consumed: readNames(row.consumed, path), produced: readNames(row.produced, path) }));
  }
  return events;
}

/** Whether an event is of this kind and of the record itself, and not of a flow that a call of it runs. */
function isOwn(event: RunEvent, type: RunEvent['type']): boolean {
  return event.type === type && event.parent_span_id === undefined;
}
