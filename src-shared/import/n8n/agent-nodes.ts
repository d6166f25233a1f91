import type { AgentSettings } from '#shared/flow/document.ts';
import { literalTemplate } from '#shared/flow/template.ts';
import { numberAt, objectAt, objectsAt, textAt } from '#shared/import/json-fields.ts';
import { serviceNeeded, vendorModel } from '#shared/import/vendor-model.ts';
import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '#shared/json.ts';
import type { N8nContext, N8nNode } from './context.ts';
import { parameterCode } from './expressions.ts';

interface Asked {
  readonly prompt: Json;
  readonly system?: Json;
  readonly schema: JsonSchema | null;
  /** Code of the item that the node hands on, given the code of the answer. */
  readonly item: (answer: string) => string;
}

/** An agent with its model, its system message and its output parser. */
export function readAgent(node: N8nNode, context: N8nContext): void {
  const { parameters } = node;
  const options = objectAt(parameters, 'options');
  const auto = (textAt(parameters, 'promptType') || 'auto') === 'auto' && parameters.text === undefined;
  const schema = parserSchema(node, context);
  ask(
    node,
    {
      prompt: auto ? '={{ $json.chatInput }}' : (parameters.text ?? ''),
      system: options.systemMessage ?? 'You are a helpful assistant',
      schema,
      item: (answer) => `{ output: ${answer} }`,
    },
    context,
  );
}

/** A single question to a model. */
export function readChain(node: N8nNode, context: N8nContext): void {
  const { parameters } = node;
  const messages = objectsAt(objectAt(parameters, 'messages'), 'messageValues');
  const auto = (textAt(parameters, 'promptType') || 'auto') === 'auto' && parameters.text === undefined;
  const schema = parserSchema(node, context);
  ask(
    node,
    {
      prompt: auto ? '={{ $json.chatInput }}' : (parameters.text ?? parameters.prompt ?? ''),
      ...(messages.length > 0 && { system: joined(messages.map((each) => each.message ?? '')) }),
      schema,
      item: (answer) => (schema === null ? `{ text: ${answer} }` : `{ output: ${answer} }`),
    },
    context,
  );
}

/** A vendor's own node, with a list of messages. */
export function readChatModel(node: N8nNode, context: N8nContext): void {
  const messages = objectsAt(objectAt(node.parameters, 'messages'), 'values');
  const texts = (role: (name: string) => boolean) =>
    messages.filter((each) => role(textAt(each, 'role') || 'user')).map((each) => each.content ?? '');
  const system = texts((role) => role === 'system');
  ask(
    node,
    {
      prompt: joined(texts((role) => role !== 'system')),
      ...(system.length > 0 && { system: joined(system) }),
      schema: null,
      item: (answer) => `{ message: { role: 'assistant', content: ${answer} } }`,
    },
    context,
  );
}

export function readExtractor(node: N8nNode, context: N8nContext): void {
  const { parameters } = node;
  const attributes = objectsAt(objectAt(parameters, 'attributes'), 'attributes');
  const types: Readonly<Record<string, string>> = { string: 'string', number: 'number', boolean: 'boolean', date: 'string' };
  const listed: JsonSchema = {
    type: 'object',
    properties: Object.fromEntries(
      attributes.map((each) => [
        textAt(each, 'name'),
        { type: types[textAt(each, 'type') || 'string'] ?? 'string', description: textAt(each, 'description') },
      ]),
    ),
    required: attributes.filter(({ required }) => required === true).map((each) => textAt(each, 'name')),
  };
  const schema =
    attributes.length > 0
      ? listed
      : (schemaOfText(textAt(parameters, 'inputSchema')) ?? schemaOfExample(textAt(parameters, 'jsonSchemaExample')) ?? { type: 'object' });
  ask(
    node,
    {
      prompt: parameters.text ?? '',
      system: objectAt(parameters, 'options').systemPromptTemplate ?? 'Extract the fields of the answer from the text.',
      schema,
      item: (answer) => `{ output: ${answer} }`,
    },
    context,
  );
}

/** An agent names the category, a choice follows it; the item stays as it was. */
export function readClassifier(node: N8nNode, context: N8nContext): void {
  const { name, key, parameters } = node;
  const categories = objectsAt(objectAt(parameters, 'categories'), 'categories').map((each) => ({
    name: textAt(each, 'category').replace(/^=/, ''),
    description: textAt(each, 'description').replace(/^=/, ''),
  }));
  const schema: JsonSchema = {
    type: 'object',
    properties: { category: { type: 'string', enum: categories.map((each) => each.name) } },
    required: ['category'],
  };
  const list = categories.map((each) => `- ${each.name}: ${each.description}`).join('\n');
  ask(
    node,
    {
      prompt: parameters.inputText ?? '',
      system: `Choose the category that fits the text best.\n\n${list}`,
      schema,
      item: () => 'data.json',
    },
    context,
    true,
  );
  const cases = categories
    .slice(0, -1)
    .map((each, index) => ({ output: String(index), when: `data.${key}.category === ${JSON.stringify(each.name)}` }));
  context.after(name, {
    id: `${name}$choice`,
    title: `${name}: which category`,
    key: context.names.field(`${key} choice`),
    does: { kind: 'choice', cases, otherwise: String(Math.max(0, categories.length - 1)) },
  });
}

function ask(node: N8nNode, { prompt, system, schema, item }: Asked, context: N8nContext, keepsAnswer = false): void {
  const { name, key, at, note } = node;
  const { report, names } = context;
  const model = modelOf(node, context);
  for (const tool of context.attached(name, 'ai_tool'))
    report(
      'import_ignored',
      tool.at,
      `The tool “${tool.name}” of “${name}” is left out. Add a built-in tool, one of an MCP server or your own to the agent.`,
    );
  for (const memory of context.attached(name, 'ai_memory'))
    report('import_departs', memory.at, `“${name}” remembers earlier messages (“${memory.name}”). Here it sees only this run.`);
  const prepared: string[] = [];
  const fields = names.field(`${key} prompt`);
  const template = (given: Json, field: string): string => {
    const { code, blocked, constant } = parameterCode(given, context.keys);
    if (blocked !== undefined)
      report('import_departs', at, `“${name}” uses ${blocked}, which is not supported: it is empty in the prompt.`);
    if (constant && typeof given === 'string') return literalTemplate(given.replace(/^=/, ''));
    prepared.push(`${field}: ${code} ?? ''`);
    return `{${fields}.${field}}`;
  };
  const agent: AgentSettings = {
    model: model.url,
    ...(schema === null && { mode: 'chat' }),
    ...(system !== undefined && { preamble: template(system, 'system') }),
    prompt: template(prompt, 'user'),
    ...(Object.keys(model.params).length > 0 && { params: model.params }),
  };
  const store = (result: string) => (keepsAnswer ? { [key]: result } : { [key]: item(result), json: item(result) });
  context.node({
    id: name,
    title: name,
    key,
    does: { kind: 'agent', agent, schema: schema ?? { type: 'string' } },
    store,
    ...(note && { note }),
  });
  if (prepared.length > 0)
    context.before(name, {
      id: `${name}$prompt`,
      title: `Prompt of ${name}`,
      key: fields,
      does: { kind: 'code', code: `({ ${prepared.join(', ')} })`, schema: { type: 'object' } },
    });
}

/** Texts of a list of messages as one. */
function joined(messages: readonly Json[]): Json {
  const texts = messages.map(String);
  return texts.some((text) => text.startsWith('=')) ? `=${texts.map((text) => text.replace(/^=/, '')).join('\n\n')}` : texts.join('\n\n');
}

function modelOf(node: N8nNode, context: N8nContext): { url: string; params: NonNullable<AgentSettings['params']> } {
  const [attached] = context.attached(node.name, 'ai_languageModel');
  const from = attached ?? node;
  const given = from.parameters.model ?? from.parameters.modelId ?? from.parameters.modelName;
  const name = typeof given === 'string' ? given : textAt(given ?? null, 'value');
  const options = objectAt(from.parameters, 'options');
  const computed = name.startsWith('=');
  if (computed) context.report('import_departs', from.at, `The model of “${node.name}” is computed. Choose one.`);
  const { url, known } = vendorModel(from.kind, computed ? 'MODEL' : name.replace(/^models\//, '').replaceAll(/\s/g, '') || 'MODEL');
  if (!known) context.report('import_departs', from.at, serviceNeeded(node.name, url));
  if (!attached && from.kind === 'agent') context.report('import_departs', node.at, `“${node.name}” has no model. Choose one.`);
  const found = {
    temperature: numberAt(options, 'temperature'),
    top_p: numberAt(options, 'topP'),
    max_tokens: numberAt(options, 'maxTokens') ?? numberAt(options, 'maxTokensToSample'),
  };
  return { url, params: Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined && value > 0)) };
}

function parserSchema(node: N8nNode, context: N8nContext): JsonSchema | null {
  const [parser] = context.attached(node.name, 'ai_outputParser');
  if (!parser) return null;
  const { parameters } = parser;
  return (
    schemaOfText(textAt(parameters, 'inputSchema')) ??
    schemaOfText(textAt(parameters, 'jsonSchema')) ??
    schemaOfExample(textAt(parameters, 'jsonSchemaExample')) ?? { type: 'object' }
  );
}

function schemaOfText(text: string): JsonSchema | null {
  const value = parsed(text);
  return isJsonObject(value) ? value : null;
}

function schemaOfExample(text: string): JsonSchema | null {
  const value = parsed(text);
  return value === undefined ? null : schemaLike(value);
}

function parsed(text: string): Json | undefined {
  try {
    return text === '' ? undefined : (JSON.parse(text) as Json);
  } catch {
    return undefined;
  }
}

/** The schema of values like an example. */
function schemaLike(value: Json): JsonObject {
  if (value === null) return {};
  if (Array.isArray(value)) return { type: 'array', ...(value[0] !== undefined && { items: schemaLike(value[0]) }) };
  if (isJsonObject(value))
    return {
      type: 'object',
      properties: Object.fromEntries(Object.entries(value).map(([key, item]) => [key, schemaLike(item)])),
      required: Object.keys(value),
    };
  return { type: typeof value };
}
