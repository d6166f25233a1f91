import type { RunEvent } from './event.ts';

/** What the events of a stream have in common. */
export interface CorrelationIds {
  /** The request that they answer. Default: the run's id. */
  readonly request_id?: string;
  /** The conversation or session that the request belongs to. */
  readonly session_id?: string;
}

/**
 * Adds pagantic's `CorrelationContext` to a run's events: a span for each transition, below the request if there is one, below it one for each tool call,
 * and below that the events of a flow called as a tool. Without a request, the events of a transition have no `parent_span_id`: there, one says that the
 * event is of a called flow. `caused_by` is the model call's transition for a tool's events, and the tool call for those of its flow.
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
    const above = this.#ids.request_id === undefined ? {} : { parent_span_id: this.#ids.request_id };
    const span = event.span_id === undefined ? { span_id: transition, ...above } : { parent_span_id: transition };
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
