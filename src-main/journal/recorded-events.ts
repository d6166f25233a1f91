import type { RunEvent } from '#shared/run/event.ts';
import { nodeEnter, nodeExit } from '#shared/run/step-frame.ts';
import { type EventRow, readNames } from './rows.ts';

/**
 * Returns all events of a record: the stored ones (`inside`) between the events of the node's entry and exit. These two
 * are derived from the row; rows inside `each` nodes store their exit, rows of older versions both. `begins`: the step does not continue from an answer.
 */
export function eventsOf(runId: string, row: EventRow, inside: readonly RunEvent[], begins: boolean, path: string): RunEvent[] {
  const events = [...inside];
  if (begins && row.type !== 'resumed' && !events.some((event) => isOwn(event, 'node_enter'))) events.unshift(nodeEnter(runId, row));
  if (row.type === 'transition' && !events.some((event) => isOwn(event, 'node_exit'))) {
    events.push(nodeExit(runId, { ...row, consumed: readNames(row.consumed, path), produced: readNames(row.produced, path) }));
  }
  return events;
}

/** Whether an event has this type and belongs to the record itself, not to a flow that one of its calls runs. */
function isOwn(event: RunEvent, type: RunEvent['type']): boolean {
  return event.type === type && event.parent_span_id === undefined;
}
