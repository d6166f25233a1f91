import { submitTool } from '#shared/flow/tool-use.ts';
import type { RunEvent, RunEventOf } from '#shared/run/event.ts';
import type { ToolCallMade } from '#shared/run/system-request.ts';

/** Collects an agent's tool calls from its events, in the model's order, without `submit`. */
export class CallsMade {
  readonly #calls = new Map<string, ToolCallMade>();
  /** The last edit of each call's input. */
  readonly #edits = new Map<string, RunEventOf<'tool_call_edited'>>();

  get list(): ToolCallMade[] {
    return [...this.#calls.values()];
  }

  take(event: RunEvent): void {
    if (event.type === 'tool_call' && event.tool_name !== submitTool) {
      const { tool_call_id, tool_name: tool, arguments: input } = event;
      const asked = { tool_call_id, tool, input, ran_with: null, edited: false, result: null, is_error: false, duration_ms: null };
      this.#calls.set(tool_call_id, asked);
    }
    if (event.type === 'tool_call_edited') this.#edits.set(event.tool_call_id, event);
    if (event.type !== 'tool_result') return;
    const { tool_call_id, result, is_error, duration_ms, error_code, args_hash } = event;
    const call = this.#calls.get(tool_call_id);
    if (!call) return;
    const edit = this.#edits.get(tool_call_id);
    // An edited call may be edited again before it runs.
    const edited = edit !== undefined && edit.args_hash === args_hash;
    const ran_with = args_hash === undefined ? null : edited ? edit.arguments : call.input;
    this.#calls.set(tool_call_id, {
      ...call,
      ran_with,
      edited,
      result,
      is_error,
      duration_ms,
      ...(error_code !== undefined && { error_code }),
    });
  }
}
