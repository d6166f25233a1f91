import type { RunEvent } from '#shared/run/event.ts';
import { isOwnEvent, nodeEnter, nodeExit } from '#shared/run/step-frame.ts';
import { type EventRow, readNames } from './rows.ts';
import { readMark } from './supplied-marks.ts';

/**
 * Returns all events of a record: the stored ones (`inside`) between the events of the node's entry and exit. These two
 * are derived from the row; rows inside frames store their exit, rows of older versions both. `begins`: the step does not continue from an answer.
 */
export function eventsOf(runId: string, row: EventRow, inside: readonly RunEvent[], begins: boolean, path: string): RunEvent[] {
  const events = [...inside];
  if (begins && row.type !== 'resumed' && !events.some((event) => event.type === 'node_enter' && isOwnEvent(event, row.node)))
    events.unshift(nodeEnter(runId, { ...row, step_name: events[0]?.step_name }));
  if (row.type === 'transition' && !events.some((event) => event.type === 'node_exit' && isOwnEvent(event, row.node))) {
    const supplied = row.supplied === null ? undefined : readMark(row.supplied, path);
    events.push(nodeExit(runId, { ...row, consumed: readNames(row.consumed, path), produced: readNames(row.produced, path), supplied }));
  }
  return events;
}
