import type { Json } from '#shared/json.ts';
import type { RunEvent } from './event.ts';

/** An event by Praxis's names: flat, tagged by `type`. Times in milliseconds. */
export type PraxisEvent =
  | { readonly type: 'init_stream'; readonly run_id: string; readonly conversation_id: string | null; readonly timestamp: number }
  | { readonly type: 'reasoning' | 'message'; readonly content: string }
  | { readonly type: 'tool_call'; readonly id: string; readonly name: string; readonly arguments: Json; readonly timestamp: number }
  | { readonly type: 'tool_result'; readonly id: string; readonly result: Json; readonly is_error: boolean; readonly duration_ms: number }
  | { readonly type: 'node_enter' | 'node_exit'; readonly node_id: string; readonly timestamp: number }
  | { readonly type: 'error'; readonly message: string; readonly node_id: string | null; readonly error_code: string }
  | { readonly type: 'end_stream'; readonly status: string; readonly total_duration_ms: number; readonly tokens_used: number };

/** An event as Praxis names it; null for one that Praxis does not have. `conversation_id` is that of the first event of a stream. */
export function toPraxis(event: RunEvent, conversation_id: string | null = event.session_id ?? null): PraxisEvent | null {
  const { timestamp } = event;
  switch (event.type) {
    case 'init_stream':
      return { type: 'init_stream', run_id: event.run_id, conversation_id, timestamp };
    case 'reasoning':
    case 'message':
      return { type: event.type, content: event.content };
    case 'tool_call':
      return { type: 'tool_call', id: event.tool_call_id, name: event.tool_name, arguments: event.arguments, timestamp };
    case 'tool_result':
      return {
        type: 'tool_result',
        id: event.tool_call_id,
        result: event.result,
        is_error: event.is_error,
        duration_ms: event.duration_ms,
      };
    case 'node_enter':
    case 'node_exit':
      return { type: event.type, node_id: event.node, timestamp };
    case 'error':
      if (event.counted === false) return null;
      return { type: 'error', message: event.error.message, node_id: event.node, error_code: event.error.code };
    case 'end_stream': {
      const { status, total_duration_ms, tokens_used } = event;
      return { type: 'end_stream', status, total_duration_ms, tokens_used };
    }
    default:
      return null;
  }
}
