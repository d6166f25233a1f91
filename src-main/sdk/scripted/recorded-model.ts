import { appendFileSync, readFileSync } from 'node:fs';
import type { ModelClient, ModelRequest, ModelResponse } from '#main/engine/ports/model-client.ts';
import { sha256 } from '#main/engine/values/sha256.ts';
import { canonicalJson, type JsonShaped, toJson } from '#shared/json.ts';
import { FlowError, fromTransferable, type TransferableError, toTransferable } from '#shared/run/error.ts';

/** A line of a recording: a request by its hash, what was streamed, and how it ended. */
interface RecordedCall {
  readonly request: string;
  readonly node?: string;
  readonly deltas: readonly { readonly type: 'text' | 'reasoning'; readonly text: string }[];
  readonly response?: ModelResponse;
  readonly error?: TransferableError;
}

/**
 * A client that appends each call of another one to a file, for `recordedModel`: `createContext({ models: () => recordModel(client, 'calls.jsonl') })`.
 * The file holds the answers and hashes of the requests, no keys.
 */
export function recordModel(client: ModelClient, file: string): ModelClient {
  return {
    async complete(request) {
      const deltas: RecordedCall['deltas'][number][] = [];
      const call = { request: hashOf(request), ...(request.node !== undefined && { node: request.node }), deltas };
      const write = (end: Pick<RecordedCall, 'response' | 'error'>) => appendFileSync(file, `${JSON.stringify({ ...call, ...end })}\n`);
      try {
        const response = await client.complete({
          ...request,
          onDelta: (delta) => {
            deltas.push(delta);
            request.onDelta?.(delta);
          },
        });
        write({ response });
        return response;
      } catch (error) {
        write({ error: toTransferable(error) });
        throw error;
      }
    },
  };
}

/**
 * A client that answers from a file of `recordModel`. The same request gets its recorded answers in order, then the last one again. A request that was
 * not recorded fails with `INFERENCE_SCRIPT_FAILED`, which is not retried. Throws if the file is missing or no recording.
 */
export function recordedModel(file: string): ModelClient {
  const calls = new Map<string, RecordedCall[]>();
  for (const call of readCalls(file)) calls.set(call.request, [...(calls.get(call.request) ?? []), call]);
  return {
    async complete(request) {
      const known = calls.get(hashOf(request));
      const call = known && known.length > 1 ? known.shift() : known?.[0];
      if (!call) throw notRecorded(file, request);
      for (const delta of call.deltas) request.onDelta?.(delta);
      if (call.error) throw fromTransferable(call.error);
      const response = call.response as ModelResponse;
      for (const part of response.message.content) if (part.type === 'tool_call') request.onCall?.(part);
      return response;
    },
  };
}

function readCalls(file: string): RecordedCall[] {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line, index) => {
    try {
      const call = JSON.parse(line) as RecordedCall;
      if (typeof call.request === 'string' && (call.response || call.error)) return call;
    } catch {
      // Reported below.
    }
    throw new FlowError('Invalid', `Line ${index + 1} of ${file} is not a recorded model call. Record the file again with recordModel.`);
  });
}

/** What decides the answer: ids, times and listeners do not. */
function hashOf({ messages, tools, tool_choice, output_schema, grammar, params }: ModelRequest): string {
  const decisive = {
    messages,
    tools,
    params,
    tool_choice: tool_choice ?? null,
    output_schema: output_schema ?? null,
    grammar: grammar ?? null,
  };
  return sha256(canonicalJson(toJson(decisive as JsonShaped<typeof decisive>)));
}

function notRecorded(file: string, { node, messages }: ModelRequest): FlowError {
  const last = JSON.stringify(messages.at(-1)?.content ?? []).slice(0, 200);
  const message = `${file} has no answer to this request of ${node ?? 'the program'}, which ends with ${last}. Record the file again with recordModel.`;
  return new FlowError('AgentError', message, { code: 'INFERENCE_SCRIPT_FAILED', retryable: false });
}
