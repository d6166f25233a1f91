import type { ModelClient, ModelRequest, ModelResponse } from '#main/engine/ports/model-client.ts';
import { wait } from '#main/engine/step/wait.ts';
import { submitTool } from '#shared/flow/tool-use.ts';
import type { Json } from '#shared/json.ts';
import { FlowError } from '#shared/run/error.ts';
import type { Message, MessagePart } from '#shared/run/message.ts';
import type { TokenUsage } from '#shared/run/token-usage.ts';

/** One answer of a scripted model. Without `text`, `tool` and `output`, it is empty text. */
export interface ScriptedTurn {
  /** Must match the text of the request's last message, else the call fails. */
  readonly expect?: string | RegExp;
  /** The answer, or the chunks in which it is streamed. */
  readonly text?: string | readonly string[];
  readonly reasoning?: string;
  /** Calls this tool with `input`. */
  readonly tool?: string;
  readonly input?: Json;
  /** Structured output: JSON text, or the input of the tool with which an agent submits it. */
  readonly output?: Json;
  /** Fails with this message, which can be retried. */
  readonly error?: string;
  readonly usage?: Partial<TokenUsage>;
  /** Milliseconds before it answers, by the clock of the machine. */
  readonly delay?: number;
}

/** Turns in order, turns in order for each node, or a function of the request. */
export type Script =
  | readonly ScriptedTurn[]
  | Readonly<Record<string, readonly ScriptedTurn[]>>
  | ((request: ModelRequest) => ScriptedTurn);

/** A model that answers from a script, with the requests that it got. */
export interface ScriptedModel extends ModelClient {
  readonly requests: readonly ModelRequest[];
}

/**
 * A model for tests: `createContext({ models: () => scriptedModel([{ tool: 'crm', input: {} }, { text: 'Hello' }]) })`. It fails with the reason
 * (`INFERENCE_SCRIPT_FAILED`, not retryable) when its script has no more turns or an `expect` does not match.
 */
export function scriptedModel(script: Script): ScriptedModel {
  const requests: ModelRequest[] = [];
  const positions = new Map<string, number>();
  const nextOf = (request: ModelRequest): ScriptedTurn => {
    if (typeof script === 'function') return script(request);
    const node = request.node ?? '';
    const isList = Array.isArray(script);
    const turns: readonly ScriptedTurn[] | undefined = isList
      ? script
      : (script as Readonly<Record<string, readonly ScriptedTurn[]>>)[node];
    if (!turns) throw failure(`it has no turns for the node ${node}. It has turns for: ${Object.keys(script).join(', ')}.`);
    const key = isList ? '' : node;
    const position = positions.get(key) ?? 0;
    positions.set(key, position + 1);
    const turn = turns[position];
    if (!turn)
      throw failure(
        `it has ${turns.length} ${turns.length === 1 ? 'turn' : 'turns'}${isList ? '' : ` for ${node}`}, and call ${position + 1} needs another one.`,
      );
    return turn;
  };
  return {
    requests,
    async complete(request) {
      requests.push(request);
      const turn = nextOf(request);
      const last = textOf(request.messages.at(-1));
      if (turn.expect !== undefined && !matches(turn.expect, last))
        throw failure(`the last message does not match ${turn.expect}: ${JSON.stringify(last.slice(0, 200))}.`);
      if (turn.delay !== undefined) await wait(turn.delay, request.signal);
      if (turn.error !== undefined) throw new FlowError('AgentError', turn.error);
      return answer(turn, request, requests.length);
    },
  };
}

function answer(scripted: ScriptedTurn, { tools, onDelta, onCall }: ModelRequest, number: number): ModelResponse {
  // An agent with tools submits its output by calling one.
  const submits = scripted.output !== undefined && tools.some(({ name }) => name === submitTool);
  const { output, ...others } = scripted;
  const turn: ScriptedTurn = submits ? { ...others, tool: submitTool, ...(output !== undefined && { input: output }) } : scripted;
  const parts: MessagePart[] = [];
  if (turn.reasoning !== undefined) {
    parts.push({ type: 'reasoning', text: turn.reasoning });
    onDelta?.({ type: 'reasoning', text: turn.reasoning });
  }
  const chunks =
    turn.output !== undefined ? [JSON.stringify(turn.output)] : typeof turn.text === 'string' ? [turn.text] : (turn.text ?? []);
  for (const text of chunks) onDelta?.({ type: 'text', text });
  if (chunks.length > 0 || turn.tool === undefined) parts.push({ type: 'text', text: chunks.join('') });
  if (turn.tool !== undefined) {
    const call = { type: 'tool_call', tool_call_id: `scripted_${number}`, tool: turn.tool, input: turn.input ?? {} } as const;
    parts.push(call);
    onCall?.(call);
  }
  const usage = { tokens_in: 0, tokens_out: 0, ...turn.usage };
  return { message: { role: 'assistant', content: parts }, finish_reason: turn.tool === undefined ? 'stop' : 'tool', usage };
}

const matches = (expected: string | RegExp, text: string) => (typeof expected === 'string' ? text.includes(expected) : expected.test(text));

function textOf(message: Message | undefined): string {
  return (message?.content ?? []).map((part) => ('text' in part ? part.text : JSON.stringify(part))).join('\n');
}

function failure(reason: string): FlowError {
  return new FlowError('AgentError', `The scripted model cannot answer: ${reason}`, { code: 'INFERENCE_SCRIPT_FAILED', retryable: false });
}
