import { isJsonObject, type Json, type JsonObject } from '#shared/json.ts';

/** The violations of the vendor's published rules in a request; empty if valid. */
export type VendorRules = (body: JsonObject) => string[];

const list = (value: Json | undefined): readonly JsonObject[] => (Array.isArray(value) ? (value as readonly JsonObject[]) : []);
const functionName = /^[a-zA-Z0-9_-]{1,64}$/;
const badNames = (names: readonly (Json | undefined)[]) =>
  names
    .filter((name) => typeof name !== 'string' || !functionName.test(name))
    .map((name) => `${String(name)} is not a valid function name`);

/** Source: OpenAI, Structured model outputs, "Supported schemas" (strict mode); API reference, Responses, `input` and `tools`. */
export const openAiRules: VendorRules = (body) => {
  const problems: string[] = [];
  const items = list(body.input);
  for (const { type, call_id } of items) {
    if (type === 'function_call' && !items.some((item) => item.type === 'function_call_output' && item.call_id === call_id)) {
      problems.push(`the call ${String(call_id)} has no output`);
    }
    if (type === 'function_call_output' && !items.some((item) => item.type === 'function_call' && item.call_id === call_id)) {
      problems.push(`the output ${String(call_id)} has no call`);
    }
  }
  const tools = list(body.tools);
  for (const tool of tools) if (tool.strict === true) problems.push(...strictProblems(tool.parameters as Json, true));
  const format = isJsonObject(body.text) && isJsonObject(body.text.format) ? body.text.format : undefined;
  if (format?.strict === true) problems.push(...strictProblems(format.schema as Json, true));
  if (body.store !== false) problems.push('the conversation would be stored');
  return [...problems, ...badNames(tools.map(({ name }) => name))];
};

/** Source: OpenAI, API reference, Chat Completions, `messages`: each call is answered by a `tool` message right after the assistant's. */
export const chatRules: VendorRules = (body) => {
  const problems: string[] = [];
  const messages = list(body.messages);
  messages.forEach(({ role, tool_calls }, index) => {
    if (role === 'system' && index > 0) problems.push('the system message is not the first');
    const ids = list(tool_calls).map(({ id }) => id);
    const answers = messages.slice(index + 1, index + 1 + ids.length);
    if (!ids.every((id, place) => answers[place]?.role === 'tool' && answers[place]?.tool_call_id === id))
      problems.push('a call has no answer');
  });
  const format = isJsonObject(body.response_format) ? body.response_format.json_schema : undefined;
  if (isJsonObject(format) && format.strict === true) problems.push(...strictProblems(format.schema as Json, true));
  return [...problems, ...badNames(list(body.tools).map(({ function: named }) => (isJsonObject(named) ? named.name : undefined)))];
};

const strictKeywords =
  /^(type|title|description|enum|anyOf|properties|required|additionalProperties|items|pattern|format|multipleOf|maximum|minimum|exclusiveMaximum|exclusiveMinimum|minItems|maxItems)$/;

function strictProblems(schema: Json, root: boolean): string[] {
  if (!isJsonObject(schema)) return ['a schema is not an object'];
  const problems = Object.keys(schema)
    .filter((keyword) => !strictKeywords.test(keyword))
    .map((keyword) => `${keyword} is not allowed in strict mode`);
  if (root && (schema.type !== 'object' || schema.anyOf !== undefined)) problems.push('the root is not an object');
  const types = [schema.type].flat();
  if (types.includes('object')) {
    const names = Object.keys((schema.properties as JsonObject | undefined) ?? {});
    if (schema.additionalProperties !== false) problems.push('additionalProperties is not false');
    const required = (schema.required ?? []) as readonly string[];
    for (const name of names) if (!required.includes(name)) problems.push(`${name} is not required`);
  }
  const inner = [
    ...Object.values((schema.properties as JsonObject | undefined) ?? {}),
    ...list(schema.anyOf),
    ...[schema.items ?? []].flat(),
  ];
  return [...problems, ...inner.flatMap((part) => strictProblems(part as Json, false))];
}

/** Source: Anthropic, API reference, Messages; "How to implement tool use" (results first, in the message right after the calls). */
export const anthropicRules: VendorRules = (body) => {
  const problems: string[] = [];
  const messages = list(body.messages);
  if (messages[0]?.role !== 'user') problems.push('the first message is not the user’s');
  messages.forEach(({ role, content }, index) => {
    if (role === messages[index - 1]?.role) problems.push('two messages of one role follow each other');
    const calls = list(content).flatMap(({ type, id }) => (type === 'tool_use' ? [id] : []));
    const next = list(messages[index + 1]?.content).slice(0, calls.length);
    if (!calls.every((id) => next.some((block) => block.type === 'tool_result' && block.tool_use_id === id))) {
      problems.push('the results are not at the beginning of the next message');
    }
    if (list(content).length === 0) problems.push('a message is empty');
  });
  if (typeof body.max_tokens !== 'number') problems.push('max_tokens is missing');
  const tools = list(body.tools);
  for (const { input_schema } of tools)
    if (!isJsonObject(input_schema) || input_schema.type !== 'object') problems.push('input_schema is not an object');
  return [...problems, ...badNames(tools.map(({ name }) => name))];
};

const geminiKeywords =
  /^(type|format|title|description|enum|items|minItems|maxItems|minimum|maximum|anyOf|properties|required|additionalProperties|prefixItems)$/;

/** Source: Google, Gemini API reference, `Content`, `FunctionDeclaration`, `GenerationConfig.responseJsonSchema`; "Function calling". */
export const geminiRules: VendorRules = (body) => {
  const problems: string[] = [];
  const contents = list(body.contents);
  contents.forEach(({ role, parts }, index) => {
    if (role !== 'user' && role !== 'model') problems.push(`unknown role ${String(role)}`);
    if (role === contents[index - 1]?.role) problems.push('two contents of one role follow each other');
    const calls = list(parts).flatMap(({ functionCall }) => (isJsonObject(functionCall) ? [functionCall] : []));
    const answers = list(contents[index + 1]?.parts).flatMap(({ functionResponse }) =>
      isJsonObject(functionResponse) ? [functionResponse] : [],
    );
    if (calls.length > 0 && calls.length !== answers.length) problems.push('there are not as many responses as calls');
    calls.forEach(({ id, name }, place) => {
      if (answers[place]?.name !== name || answers[place]?.id !== id) problems.push('a response does not belong to its call');
    });
  });
  const ids = contents.flatMap(({ parts }) =>
    list(parts).flatMap(({ functionCall }) => (isJsonObject(functionCall) ? [functionCall.id] : [])),
  );
  if (new Set(ids).size < ids.length) problems.push('two calls have one id');
  const declarations = list(body.tools).flatMap(({ functionDeclarations }) => list(functionDeclarations));
  const config = isJsonObject(body.generationConfig) ? body.generationConfig : {};
  const schemas = [...declarations.map(({ parametersJsonSchema }) => parametersJsonSchema), config.responseJsonSchema];
  for (const schema of schemas) if (isJsonObject(schema)) problems.push(...geminiProblems(schema));
  return [...problems, ...badNames(declarations.map(({ name }) => name))];
};

function geminiProblems(schema: JsonObject): string[] {
  const inner = [
    ...Object.values((schema.properties as JsonObject | undefined) ?? {}),
    ...list(schema.anyOf),
    ...[schema.items ?? []].flat(),
    ...list(schema.prefixItems),
    ...[schema.additionalProperties ?? []].flat(),
  ];
  return [
    ...Object.keys(schema)
      .filter((keyword) => !geminiKeywords.test(keyword))
      .map((keyword) => `${keyword} is not supported by Gemini`),
    ...inner.filter(isJsonObject).flatMap(geminiProblems),
  ];
}

/** Source: Ollama, API reference, "Generate a chat completion": arguments are objects, results name their tool, `format` is a schema. */
export const ollamaRules: VendorRules = (body) => {
  const problems: string[] = [];
  const messages = list(body.messages);
  messages.forEach(({ role, tool_calls }, index) => {
    const calls = list(tool_calls).map(({ function: called }) => (isJsonObject(called) ? called : {}));
    const answers = messages.slice(index + 1, index + 1 + calls.length);
    calls.forEach(({ name, arguments: input }, place) => {
      if (!isJsonObject(input)) problems.push('arguments are not an object');
      if (answers[place]?.role !== 'tool' || answers[place]?.tool_name !== name) problems.push('a call has no answer');
    });
    if (!['system', 'user', 'assistant', 'tool'].includes(String(role))) problems.push(`unknown role ${String(role)}`);
  });
  if (body.think !== false) problems.push('thinking is not off');
  if (body.format !== undefined && body.format !== 'json' && !isJsonObject(body.format)) problems.push('format is not a schema');
  return problems;
};
