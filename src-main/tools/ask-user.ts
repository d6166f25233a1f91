import { checkSchema } from '#main/engine/values/schema-validator.ts';
import type { Json, JsonSchema } from '#shared/json.ts';
import { ToolError } from '#shared/run/error.ts';
import { builtInTool } from './built-in-tool.ts';
import { inputSchema } from './input-schema.ts';

export const askUserTool = builtInTool('ask_user', {
  description:
    'Asks the user a question and waits for the answer: one of `choices`, a value that matches `schema` (JSON Schema), or text if neither is given.',
  input_schema: inputSchema(
    {
      question: { type: 'string', minLength: 1, description: 'The question. Must be understandable without the conversation' },
      choices: { type: 'array', items: { type: 'string' }, minItems: 1, description: 'Answers to choose from' },
      schema: { type: ['object', 'boolean'], description: 'JSON Schema of the answer' },
    },
    ['question'],
  ),
  call: (input, ctx) => {
    const { question, choices, schema } = input as { question: string; choices?: string[]; schema?: JsonSchema };
    // Don't ask the user a question that no answer can satisfy.
    const fault = schema === undefined ? null : checkSchema(schema);
    if (fault)
      throw new ToolError('Deserialize', `The schema is not a valid JSON Schema: ${fault.message}`, {
        details: { field: 'schema', path: fault.path },
      });
    const value: Json = { kind: 'question', question, ...(choices && { choices }), ...(schema !== undefined && { schema }) };
    return ctx.suspend(value, schema ?? (choices ? { enum: choices } : { type: 'string' }));
  },
});
