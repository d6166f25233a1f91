import type { AdvertisedNames } from '#main/models/advertised-names.ts';
import { modelResult } from '#main/models/image-part.ts';
import { messageText, systemTexts } from '#main/models/message-text.ts';
import { unavailable } from '#main/models/model-failure.ts';
import type { Json } from '#shared/json.ts';
import type { Message, MessagePart, MessagePartOf } from '#shared/run/message.ts';
import type { LlamaCall, LlamaTurn } from './llama-messages.ts';

/** Format of earlier tool calls: as grammar-constrained JSON, or in the model's own format. */
export type CallStyle = 'json' | 'functions';

/** Converts a conversation to turns of a local model. `told` is appended to the author's system message. */
export function llamaTurns(messages: readonly Message[], names: AdvertisedNames, style: CallStyle, told: readonly string[]): LlamaTurn[] {
  const system = [...systemTexts(messages), ...told];
  const turns: LlamaTurn[] = system.length > 0 ? [{ type: 'system', text: system.join('\n\n') }] : [];
  const results = resultsById(messages);
  for (const message of messages) {
    const turn = turnOf(message, names, style, results);
    if (turn) add(turns, turn);
  }
  return turns;
}

/** Model templates require alternating roles, so consecutive messages of a role are merged. */
function add(turns: LlamaTurn[], turn: LlamaTurn): void {
  const last = turns.at(-1);
  if (last?.type === 'user' && turn.type === 'user') turns[turns.length - 1] = { type: 'user', text: `${last.text}\n\n${turn.text}` };
  else if (last?.type === 'model' && turn.type === 'model')
    turns[turns.length - 1] = { type: 'model', response: [...last.response, ...turn.response] };
  else turns.push(turn);
}

function turnOf(
  { role, content }: Message,
  names: AdvertisedNames,
  style: CallStyle,
  results: ReadonlyMap<string, Json>,
): LlamaTurn | null {
  if (role === 'system') return null;
  if (role === 'user') return { type: 'user', text: content.map(readable).join('\n') };
  if (role === 'tool') {
    if (style === 'functions') return null;
    const text = content.flatMap((part) => (part.type === 'tool_result' ? [namedResult(part, names)] : [])).join('\n\n');
    return { type: 'user', text };
  }
  const response = content.flatMap((part): (string | LlamaCall)[] => {
    if (part.type === 'text') return [part.text];
    if (part.type !== 'tool_call') return [];
    const name = names.of(part.tool);
    if (style === 'json') return [JSON.stringify({ tool: name, input: part.input })];
    return [{ type: 'functionCall', name, params: part.input, result: results.get(part.tool_call_id) ?? null }];
  });
  return { type: 'model', response };
}

function resultsById(messages: readonly Message[]): Map<string, Json> {
  const parts = messages.flatMap(({ content }) => content);
  return new Map(
    parts.flatMap((part) =>
      part.type === 'tool_result' ? [[part.tool_call_id, part.ran_with === undefined ? part.result : modelResult(part).text] as const] : [],
    ),
  );
}

function namedResult(part: MessagePartOf<'tool_result'>, names: AdvertisedNames): string {
  const text = messageText({ role: 'tool', content: [part] });
  return `${part.is_error ? 'Error' : 'Result'} of ${names.of(part.tool)}:\n${text}`;
}

function readable(part: MessagePart): string {
  if (part.type === 'image')
    throw unavailable('llama:// models support only text, and this conversation contains an image. Use a vision model.');
  return messageText({ role: 'user', content: [part] });
}
