import type { RunEvent } from './event.ts';

/** What the events of a stream have in common. */
export interface CorrelationIds {
  /** The request that they answer. Default: the run's id. */
  readonly request_id?: string;
  /** The conversation or session that the request belongs to. */
  readonly session_id?: string;
}

/**
 * Adds pagantic's `CorrelationContext` to a run's events: the request is the root, with a span for each transition, below it one for each tool call, and
 * below that the events of a flow called as a tool. `caused_by` is the model call's transition for a tool's events, and the tool call for those of its flow.
 */
export class Correlation {
  readonly #ids: CorrelationIds;
  /** The span of each node's last model call. */
  readonly #asked = new Map<string, string>();

  constructor(ids: CorrelationIds = {}) {
    this.#ids = ids;
  }

  add(event: RunEvent): RunEvent {
    const { request_id = event.run_id, session_id } = this.#ids;
    const transition = `${request_id}/${event.seq}`;
    const span = event.span_id === undefined ? { span_id: transition, parent_span_id: request_id } : { parent_span_id: transition };
    if (event.type === 'inference_start') this.#asked.set(event.node, transition);
    const caused_by = event.parent_span_id ?? ('tool_call_id' in event ? this.#asked.get(event.node) : undefined);
    return {
      ...(event.parent_span_id === undefined && span),
      ...event,
      request_id,
      ...(session_id !== undefined && { session_id }),
      ...(caused_by !== undefined && { caused_by }),
    };
  }
}
