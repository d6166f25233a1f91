import type { RunSummary } from '#shared/contract/runs.ts';
import { isJsonObject, type Json, type JsonSchema } from '#shared/json.ts';

export type WaitingSuspension = RunSummary['suspensions'][number];

/** What is asked of a person, told from the suspension alone. */
export type Question =
  | { readonly type: 'approval'; readonly tool: string; readonly input: Json; readonly input_schema: JsonSchema }
  | { readonly type: 'choice'; readonly question: string; readonly choices: readonly string[] }
  | { readonly type: 'question'; readonly question: string; readonly schema: JsonSchema }
  | { readonly type: 'decision'; readonly state: Json; readonly schema: JsonSchema }
  | { readonly type: 'unknown_outcome'; readonly name: string; readonly input: Json }
  /** A tool of a kind that is not known here: what it shows, and the form of the answer. */
  | { readonly type: 'other'; readonly value: Json; readonly schema: JsonSchema };

function isSchema(value: Json | undefined): value is JsonSchema {
  return typeof value === 'boolean' || isJsonObject(value);
}

/** Reads what a suspension asks. */
export function questionOf({ reason, value, payload_schema }: WaitingSuspension): Question {
  const schema = isSchema(payload_schema) ? payload_schema : true;
  if (reason === 'suspend_node') return { type: 'decision', state: value, schema };
  const fields = isJsonObject(value) ? value : {};
  if (reason === 'approval' && typeof fields.tool === 'string') {
    const { tool, input = {}, input_schema } = fields;
    return { type: 'approval', tool, input, input_schema: isSchema(input_schema) ? input_schema : true };
  }
  if (reason === 'unknown_outcome') return { type: 'unknown_outcome', name: String(fields.name ?? ''), input: fields.input ?? null };
  if (typeof fields.question === 'string') {
    const { question, choices, schema: own } = fields;
    if (own === undefined && Array.isArray(choices)) return { type: 'choice', question, choices: choices.map(String) };
    return { type: 'question', question, schema: isSchema(payload_schema) ? payload_schema : { type: 'string' } };
  }
  return { type: 'other', value, schema };
}

const wishes: Record<string, string> = {
  write_file: 'wants to change a file',
  edit_file: 'wants to change a file',
  storage: 'wants to change a file',
  run_command: 'wants to run a command',
  http_request: 'wants to reach the network',
};

/** Who wants what, in one line. `title` is what the node is called. */
export function waitingTitle(suspension: WaitingSuspension, title: string): string {
  const question = questionOf(suspension);
  switch (question.type) {
    case 'approval':
      return `${question.tool} ${wishes[question.tool] ?? 'wants to be called'}`;
    case 'choice':
    case 'question':
      return `${title} asks`;
    case 'decision':
      return `The flow asks: ${title}`;
    case 'unknown_outcome':
      return `Nobody knows how ${question.name} ended`;
    case 'other':
      return `${suspension.tool_id.split('::').at(-1)} waits for an answer`;
  }
}
