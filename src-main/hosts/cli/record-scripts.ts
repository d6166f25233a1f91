import { writeFileSync } from 'node:fs';
import { extname } from 'node:path';
import { printNote } from '#main/hosts/cli/terminal.ts';
import type { Journal } from '#main/journal/journal.ts';
import { checked, outcomeSchema } from '#main/journal/rows.ts';
import { RunReader } from '#main/journal/run-reader.ts';
import { isJsonObject, type Json } from '#shared/json.ts';
import type { TransferableError } from '#shared/runtime/error.ts';
import type { MessagePart } from '#shared/runtime/message.ts';

/**
 * Writes what the models of a run answered as `script://` files, one an agent: `file` itself for the only one, else with the node's
 * name before the ending (`answers.Draft.json`).
 */
export function recordScripts(journal: Journal, runId: string, file: string): void {
  const scripts = new Map<string, Json[]>();
  for (const effect of new RunReader(journal, journal.row(runId)).modelCalls()) {
    if (effect.outcome === null) continue;
    const outcome = checked(outcomeSchema, journal.values.read(effect.outcome), journal.path);
    const turns = scripts.get(effect.node) ?? [];
    scripts.set(effect.node, [...turns, 'error' in outcome ? errorTurn(outcome.error) : answerTurn(outcome.result)]);
  }
  for (const [node, turns] of scripts) {
    const path = scripts.size === 1 ? file : withName(file, node);
    try {
      writeFileSync(path, `${JSON.stringify({ turns }, null, 2)}\n`);
    } catch (error) {
      printNote(
        `--record: ${path} cannot be written: ${error instanceof Error ? error.message : String(error)}. The run itself is not concerned.`,
      );
      return;
    }
    printNote(`Recorded ${turns.length} ${turns.length === 1 ? 'turn' : 'turns'} of ${node} in ${path}`);
  }
  if (scripts.size === 0) printNote('No model answered in this run, so nothing was recorded.');
}

function errorTurn(error: TransferableError): Json {
  return { error: { code: error.code } };
}

function answerTurn(response: Json): Json {
  const message = isJsonObject(response) ? response.message : undefined;
  const parts = (isJsonObject(message) && Array.isArray(message.content) ? message.content : []) as unknown as MessagePart[];
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
  const calls = parts.flatMap((part) => (part.type === 'tool_call' ? [{ tool: part.tool, input: part.input }] : []));
  return { ...(text && { text }), ...(calls.length > 0 && { tool_calls: calls }) };
}

function withName(file: string, node: string): string {
  const ending = extname(file);
  return `${file.slice(0, file.length - ending.length)}.${node.replaceAll(/[^\w.-]+/g, '.')}${ending}`;
}
