import type { RunSummary } from '#shared/contract/runs.ts';
import { isJsonObject, type Json, type JsonSchema } from '#shared/json.ts';
import { texts } from './texts.ts';

export type WaitingSuspension = RunSummary['suspensions'][number];

/** The question behind a suspension. */
export type Question =
  | { readonly type: 'approval'; readonly tool: string; readonly input: Json; readonly input_schema: JsonSchema }
  | { readonly type: 'choice'; readonly question: string; readonly choices: readonly string[] }
  | { readonly type: 'question'; readonly question: string; readonly schema: JsonSchema }
  | { readonly type: 'decision'; readonly state: Json; readonly schema: JsonSchema }
  | { readonly type: 'unknown_outcome'; readonly name: string; readonly input: Json }
  /** A tool of an unknown kind: the value it shows, and the schema of the answer. */
  | { readonly type: 'other'; readonly value: Json; readonly schema: JsonSchema };

function isSchema(value: Json | undefined): value is JsonSchema {
  return typeof value === 'boolean' || isJsonObject(value);
}

/** Returns the question of a suspension. */
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

const approvalTitles: Readonly<Record<string, (tool: string) => string>> = {
  write_file: texts.title.change,
  edit_file: texts.title.change,
  storage: texts.title.change,
  run_command: texts.title.runCommand,
  http_request: texts.title.network,
};

/** What is asked, in one line. `title` is that of the node. */
export function waitingTitle(suspension: WaitingSuspension, title: string): string {
  const question = questionOf(suspension);
  switch (question.type) {
    case 'approval':
      return (approvalTitles[question.tool] ?? texts.title.call)(question.tool);
    case 'choice':
    case 'question':
      return texts.title.question(title);
    case 'decision':
      return texts.title.decision(title);
    case 'unknown_outcome':
      return texts.title.unknownOutcome(question.name);
    case 'other':
      return texts.title.other((suspension.inner_tool_id ?? suspension.tool_id).split('::').at(-1) ?? '');
  }
}
