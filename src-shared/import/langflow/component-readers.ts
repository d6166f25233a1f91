import type { AgentSettings } from '#shared/flow/document.ts';
import { literalTemplate } from '#shared/flow/template.ts';
import type { Deed } from '#shared/import/foreign-graph.ts';
import { joinedText } from '#shared/import/js-text.ts';
import { numberAt, objectAt, objectsAt, textAt } from '#shared/import/json-fields.ts';
import { serviceNeeded, vendorModel } from '#shared/import/vendor-model.ts';
import type { Json, JsonSchema } from '#shared/json.ts';
import type { Component, FlowContext } from './langflow-flow.ts';

type ReadComponent = (component: Component, context: FlowContext) => void;

function put({ id, title, key, note }: Component, does: Deed, { node }: FlowContext): void {
  node({ id, title, key, does, ...(note && { note }) });
}

/** The value that is written in a field. */
const written = ({ template }: Component, field: string): Json => objectAt(template, field).value ?? null;

/** A field as a template of ours: what is wired to it, else its text. */
function asTemplate(component: Component, field: string, context: FlowContext): string {
  const wired = context.sources(component.id, field);
  if (wired.length > 0) return wired.map(({ key }) => `{${key}}`).join('\n');
  const value = written(component, field);
  return literalTemplate(typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value));
}

/** A field as code. */
function asCode(component: Component, field: string, context: FlowContext): string {
  const wired = context.sources(component.id, field);
  const [only] = wired;
  if (wired.length === 1 && only) return `(data.${only.key} ?? '')`;
  // Several wires into one field: what has run.
  if (wired.length > 1) return joinedText(wired.map(({ key }) => [key]));
  return JSON.stringify(written(component, field) ?? '');
}

const readChatInput: ReadComponent = (component, context) => {
  const wired = context.sources(component.id, 'input_value').length > 0;
  const name = wired ? null : context.input('input_value', { type: 'string' }, true);
  put(
    component,
    { kind: 'code', code: name === null ? asCode(component, 'input_value', context) : `data.${name}`, schema: { type: 'string' } },
    context,
  );
};

/** A text: wired, or a field of the flow's input with the written text as its default. */
const readTextInput: ReadComponent = (component, context) => {
  if (context.sources(component.id, 'input_value').length > 0) {
    readOutput(component, context);
    return;
  }
  const name = context.input(component.key, { type: 'string' }, false);
  put(
    component,
    { kind: 'code', code: `data.${name} ?? ${JSON.stringify(written(component, 'input_value') ?? '')}`, schema: { type: 'string' } },
    context,
  );
};

const readOutput: ReadComponent = (component, context) =>
  put(component, { kind: 'code', code: asCode(component, 'input_value', context), schema: true }, context);

/** `{name}` is the field of that name; `{{` and `}}` are braces. */
const readPrompt: ReadComponent = (component, context) => {
  const text = String(written(component, 'template') ?? '');
  const mustache = written(component, 'use_double_brackets') === true || written(component, 'mode') === 'mustache';
  const pattern = mustache ? /\{\{\s*(\w+)\s*\}\}/g : /\{\{|\}\}|\{(\w+)\}/g;
  const parts: string[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    parts.push(JSON.stringify(text.slice(end, match.index)));
    parts.push(match[1] === undefined ? JSON.stringify(match[0].charAt(0)) : asCode(component, match[1], context));
    end = match.index + match[0].length;
  }
  parts.push(JSON.stringify(text.slice(end)));
  const code = `[${parts.filter((part) => part !== '""').join(', ')}].map((part) => typeof part === 'string' ? part : JSON.stringify(part)).join('')`;
  put(component, { kind: 'code', code, schema: { type: 'string' } }, context);
};

/** The model that a component names, or the one that is wired to its field. */
function modelOf(
  component: Component,
  context: FlowContext,
  field: string,
): { model: string; params?: NonNullable<AgentSettings['params']> } {
  const [wired] = context.sources(component.id, field);
  const from = wired ?? component;
  const value = written(from, 'model');
  const listed = Array.isArray(value) ? value[0] : value;
  const vendor = String(written(from, 'provider') ?? written(from, 'agent_llm') ?? (textAt(listed ?? null, 'provider') || from.type));
  const name = String(written(from, 'model_name') ?? written(from, 'model_id') ?? (textAt(listed ?? null, 'name') || 'MODEL'));
  const { url, known } = vendorModel(vendor === 'Custom' ? from.type : vendor, name);
  if (!known) context.report('import_departs', from.at, serviceNeeded(component.title, url));
  const number = (key: string) => {
    const given = numberAt({ given: written(from, key) }, 'given');
    return given !== undefined && given > 0 ? given : undefined;
  };
  const temperature = numberAt({ given: written(from, 'temperature') }, 'given');
  const found = {
    temperature,
    max_tokens: number('max_tokens') ?? number('max_output_tokens'),
    top_p: number('top_p'),
    top_k: number('top_k'),
  };
  const params = Object.fromEntries(Object.entries(found).filter(([, each]) => each !== undefined));
  return { model: url, ...(Object.keys(params).length > 0 && { params }) };
}

function readAsking(systemField: string, modelField: string, schemaOf?: (component: Component) => JsonSchema): ReadComponent {
  return (component, context) => {
    const { id, title, at } = component;
    for (const tool of context.sources(id, 'tools'))
      context.report(
        'import_ignored',
        tool.at,
        `The tool “${tool.title}” of “${title}” is left out. Add a built-in tool, one of an MCP server or your own to the agent.`,
      );
    if (context.sources(id, 'memory').length > 0)
      context.report('import_departs', at, `“${title}” remembers earlier messages. Here it sees only this run.`);
    const schema = schemaOf?.(component);
    const preamble = asTemplate(component, systemField, context);
    const agent: AgentSettings = {
      ...modelOf(component, context, modelField),
      ...(schema === undefined && { mode: 'chat' }),
      ...(preamble !== '' && { preamble }),
      prompt: asTemplate(component, 'input_value', context),
    };
    put(component, { kind: 'agent', agent, schema: schema ?? { type: 'string' } }, context);
  };
}

function tableSchema(component: Component): JsonSchema {
  const types: Readonly<Record<string, string>> = {
    str: 'string',
    text: 'string',
    int: 'integer',
    float: 'number',
    bool: 'boolean',
    dict: 'object',
    list: 'array',
  };
  const rows = objectsAt({ rows: written(component, 'output_schema') }, 'rows');
  const properties = Object.fromEntries(
    rows.map((row) => {
      const schema = { type: types[textAt(row, 'type')] ?? 'string', description: textAt(row, 'description') };
      return [textAt(row, 'name'), row.multiple === true || row.multiple === 'True' ? { type: 'array', items: schema } : schema];
    }),
  );
  return { type: 'object', properties, required: Object.keys(properties) };
}

const operators: Readonly<Record<string, (left: string, right: string) => string>> = {
  equals: (left, right) => `${left} === ${right}`,
  'not equals': (left, right) => `${left} !== ${right}`,
  contains: (left, right) => `${left}.includes(${right})`,
  'starts with': (left, right) => `${left}.startsWith(${right})`,
  'ends with': (left, right) => `${left}.endsWith(${right})`,
  regex: (left, right) => `new RegExp('^(?:' + ${right} + ')').test(${left})`,
  'less than': (left, right) => `Number(${left}) < Number(${right})`,
  'less than or equal': (left, right) => `Number(${left}) <= Number(${right})`,
  'greater than': (left, right) => `Number(${left}) > Number(${right})`,
  'greater than or equal': (left, right) => `Number(${left}) >= Number(${right})`,
};

/** Its outputs are `true_result` and `false_result`, which hand the message on. */
const readRouter: ReadComponent = (component, context) => {
  const { id, title, key, at } = component;
  const operator = String(written(component, 'operator') ?? 'equals');
  const write = operators[operator];
  if (!write)
    context.report('import_departs', at, `“${title}” compares by “${operator}”, which is not supported: its condition never holds here.`);
  const fold = written(component, 'case_sensitive') === true || operator === 'regex' ? '' : '.toLowerCase()';
  const text = (field: string) => `String(${asCode(component, field, context)})${fold}`;
  const when = write ? write(text('input_text'), text('match_text')) : 'false';
  const passed =
    context.sources(id, 'true_case_message').length > 0
      ? 'true_case_message'
      : context.sources(id, 'message').length > 0
        ? 'message'
        : 'input_text';
  // What it hands on is stored first.
  context.node({ id, title, key, does: { kind: 'code', code: asCode(component, passed, context), schema: true } });
  context.choice(id, {
    id: `${id}$choice`,
    title: `${title}: which way`,
    key: context.names.field(`${key} choice`),
    does: { kind: 'choice', cases: [{ output: 'true_result', when }], otherwise: 'false_result' },
  });
};

const readCombine: ReadComponent = (component, context) => {
  const code = `[${asCode(component, 'text1', context)}, ${asCode(component, 'text2', context)}].join(${asCode(component, 'delimiter', context)})`;
  put(component, { kind: 'code', code, schema: { type: 'string' } }, context);
};

/** Fills a pattern from the fields of each piece of data. */
const readParser: ReadComponent = (component, context) => {
  const field = context.sources(component.id, 'input_data').length > 0 ? 'input_data' : 'data';
  const pattern = JSON.stringify(written(component, 'pattern') ?? written(component, 'template') ?? '{text}');
  const separator = JSON.stringify(written(component, 'sep') ?? '\n');
  const fill = `(each) => ${pattern}.replace(/\\{(\\w+)\\}/g, (_, name) => typeof each === 'object' && each !== null ? String(each[name] ?? '') : String(each))`;
  put(
    component,
    { kind: 'code', code: `[${asCode(component, field, context)}].flat().map(${fill}).join(${separator})`, schema: { type: 'string' } },
    context,
  );
};

const readMessageToData: ReadComponent = (component, context) =>
  put(component, { kind: 'code', code: `({ text: ${asCode(component, 'message', context)} })`, schema: { type: 'object' } }, context);

/** Goes through a list: `item` leads to the nodes for one item, which lead back with what they made of it; `done` follows with all results. */
const readLoop: ReadComponent = (component, context) => {
  const { id, title, key, note } = component;
  const round = context.names.field(`${key} round`);
  const back = context.back(id);
  const made = back.length > 0 ? joinedText(back.map((each) => [each.key])) : 'null';
  const only = back[0];
  const result = back.length === 1 && only ? `data.${only.key}` : made;
  const begin = `{ list: [${asCode(component, 'data', context)}].flat(), index: 0, results: [] }`;
  const next = `{ ...data.${round}, index: data.${round}.index + 1, results: [...data.${round}.results, ${result}] }`;
  const code = `(() => {\nconst round = data.${round} === undefined ? ${begin} : ${next};\nreturn { ...data, ${round}: round, ${key}: round.index < round.list.length ? round.list[round.index] : round.results };\n})()`;
  context.node({
    id,
    title,
    key,
    does: { kind: 'change', code, keys: { [key]: true, [round]: { type: 'object' } } },
    ...(note && { note }),
  });
  context.choice(id, {
    id: `${id}$choice`,
    title: `${title}: another item?`,
    key: context.names.field(`${key} choice`),
    does: { kind: 'choice', cases: [{ output: 'item', when: `data.${round}.index < data.${round}.list.length` }], otherwise: 'done' },
  });
};

const readRequest: ReadComponent = (component, context) => {
  const field =
    context.sources(component.id, 'url_input').length > 0 || written(component, 'url_input')
      ? 'url_input'
      : context.sources(component.id, 'urls').length > 0 || Array.isArray(written(component, 'urls'))
        ? 'urls'
        : 'url';
  const value = written(component, field);
  const url =
    Array.isArray(value) && context.sources(component.id, field).length === 0
      ? literalTemplate(String(value[0] ?? ''))
      : asTemplate(component, field, context);
  const isPage = component.type.startsWith('URL');
  const method = String(written(component, 'method') ?? 'GET');
  put(
    component,
    { kind: 'tool', tool: isPage ? 'scrape_url' : 'http_request', with: isPage ? { url } : { url, method }, schema: true },
    context,
  );
};

const readModel = readAsking('system_message', 'language_model');
const models = [
  'OpenAIModel',
  'AnthropicModel',
  'GoogleGenerativeAIModel',
  'OllamaModel',
  'GroqModel',
  'MistralModel',
  'AzureOpenAIModel',
  'DeepSeekModelComponent',
  'OpenRouterComponent',
  'NovitaModel',
  'SambaNovaModel',
  'CohereModel',
  'LMStudioModel',
  'LanguageModelComponent',
  'LanguageModel',
];

/** Readers by type of component. What is not listed becomes a placeholder. */
export const componentReaders: Readonly<Record<string, ReadComponent>> = {
  ChatInput: readChatInput,
  TextInput: readTextInput,
  ChatOutput: readOutput,
  TextOutput: readOutput,
  Prompt: readPrompt,
  'Prompt Template': readPrompt,
  Agent: readAsking('system_prompt', 'agent_llm'),
  StructuredOutput: readAsking('system_prompt', 'llm', tableSchema),
  ConditionalRouter: readRouter,
  CombineText: readCombine,
  parser: readParser,
  ParseData: readParser,
  ParserComponent: readParser,
  MessagetoData: readMessageToData,
  LoopComponent: readLoop,
  Loop: readLoop,
  APIRequest: readRequest,
  URL: readRequest,
  URLComponent: readRequest,
  ...Object.fromEntries(models.map((type) => [type, readModel])),
};
