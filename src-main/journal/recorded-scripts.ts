import { isJsonObject, type Json } from '#shared/json.ts';
import type { TransferableError } from '#shared/run/error.ts';
import { type MessagePart, messageSchema } from '#shared/run/message.ts';
import type { Journal } from './journal.ts';
import { checked, outcomeSchema } from './rows.ts';
import type { RunReader } from './run-reader.ts';

/** The model responses of one agent in a run, as the content of a `script://` file. */
export interface RecordedScript {
  readonly node: string;
  readonly turns: readonly Json[];
}

/** Returns the model responses of a run by agent, without responses that are not recorded yet. */
export function recordedScripts(journal: Journal, reader: RunReader): RecordedScript[] {
  const scripts = new Map<string, Json[]>();
  for (const effect of reader.modelCalls()) {
    if (effect.outcome === null) continue;
    const outcome = checked(outcomeSchema, journal.values.read(effect.outcome), journal.path);
    const turns = scripts.get(effect.node) ?? [];
    scripts.set(effect.node, [...turns, 'error' in outcome ? errorTurn(outcome.error) : answerTurn(outcome.result)]);
  }
  return [...scripts].map(([node, turns]) => ({ node, turns }));
}

/** Returns the file names of scripts, in order: `file` itself for a single script, else with the node's name before the extension (`answers.Draft.json`). */
export function scriptFiles(file: string, scripts: readonly RecordedScript[]): string[] {
  if (scripts.length === 1) return [file];
  const [, beginning = file, ending = ''] = /^(.*?)((?:\.script)?\.[^./\\]*)?$/s.exec(file) ?? [];
  return scripts.map(({ node }) => `${beginning}.${node.replaceAll(/[^\w.-]+/g, '.')}${ending}`);
}

/** Returns the text of a `script://` file. */
export function scriptText({ turns }: RecordedScript): string {
  return `${JSON.stringify({ turns }, null, 2)}\n`;
}

function errorTurn(error: TransferableError): Json {
  return { error: { code: error.code } };
}

function answerTurn(response: Json): Json {
  const message = isJsonObject(response) ? response.message : undefined;
  const parts = messageSchema.safeParse(message).data?.content ?? [];
  const text = textOf(parts, 'text');
  const reasoning = textOf(parts, 'reasoning');
  const calls = parts.flatMap((part) => (part.type === 'tool_call' ? [{ tool: part.tool, input: part.input }] : []));
  const usage = isJsonObject(response) ? response.usage : undefined;
  return {
    ...(reasoning && { reasoning }),
    ...(text && { text }),
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(isJsonObject(usage) && { usage: { tokens_in: usage.tokens_in ?? 0, tokens_out: usage.tokens_out ?? 0 } }),
  };
}

function textOf(parts: readonly MessagePart[], type: 'text' | 'reasoning'): string {
  return parts.flatMap((part) => (part.type === type ? [part.text] : [])).join('');
}
