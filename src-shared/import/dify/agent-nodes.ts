import type { AgentSettings } from '#shared/flow/document.ts';
import { literalTemplate } from '#shared/flow/template.ts';
import { listAt, objectAt, objectsAt, textAt } from '#shared/import/json-fields.ts';
import { isJsonObject, type JsonObject, type JsonSchema } from '#shared/json.ts';
import type { DifyContext, DifyNode } from './dify-reader.ts';
import { modelOf } from './model-of.ts';
import { put } from './put.ts';

/** System messages become the preamble, the others the prompt. */
export function readLlm(node: DifyNode, context: DifyContext): void {
  const { data, at, title } = node;
  const { report, selectors } = context;
  const given = data.prompt_template;
  const messages = Array.isArray(given) ? given.filter(isJsonObject) : isJsonObject(given) ? [given] : [];
  const contextPath = selectors.path(listAt(objectAt(data, 'context'), 'variable_selector'));
  const text = (message: JsonObject) => {
    const written = textAt(message, 'text');
    const raw =
      textAt(message, 'edition_type') === 'jinja2'
        ? jinjaAsTemplate(textAt(message, 'jinja2_text') || written, node, context)
        : selectors.template(written);
    return raw.replaceAll('{{#context#}}', contextPath ? `{${contextPath.join('.')}}` : '');
  };
  const system = messages
    .filter(({ role }) => role === 'system')
    .map(text)
    .join('\n\n');
  const others = messages.filter(({ role }) => role !== 'system');
  if (others.some(({ role }) => role === 'assistant'))
    report('import_departs', at, `“${title}” has example answers. They are part of the prompt here, each with its role.`);
  const withRoles = others.length > 1;
  const asked = others.map((message) => `${withRoles ? `${String(message.role ?? 'user')}: ` : ''}${text(message)}`).join('\n\n');
  const memory = isJsonObject(data.memory);
  if (memory) report('import_departs', at, `“${title}” remembers earlier messages of a chat. Here it sees only this run.`);
  if (objectAt(data, 'vision').enabled === true)
    report('import_departs', at, `“${title}” sends images. Here an image must be a value of the input (see Images in docs/agents.md).`);
  const query = memory && asked === '' ? `{${selectors.path(['sys', 'query'])?.join('.') ?? 'query'}}` : asked;
  const schema = objectAt(objectAt(data, 'structured_output'), 'schema');
  const structured = Object.keys(schema).length > 0 && data.structured_output_enabled !== false;
  const prompts = query === '' ? { prompt: system } : { ...(system !== '' && { preamble: system }), prompt: query };
  agentNode(node, prompts, structured ? schema : null, context);
}

function agentNode(
  node: DifyNode,
  prompts: Pick<AgentSettings, 'preamble' | 'prompt'>,
  schema: JsonSchema | null,
  context: DifyContext,
): void {
  const { url, params } = modelOf(objectAt(node.data, 'model'), node.title, [...node.at, 'model'], context.report);
  const agent = { model: url, ...(schema === null && { mode: 'chat' as const }), ...prompts, ...params };
  put(node, { kind: 'agent', agent, schema: schema ?? { type: 'string' } }, context);
}

/** Variables of a Jinja prompt that are only inserted become placeholders; anything else stays as it is written, with a warning. */
function jinjaAsTemplate(text: string, node: DifyNode, { selectors, report }: DifyContext): string {
  const variables = objectsAt(objectAt(node.data, 'prompt_config'), 'jinja2_variables');
  const paths = new Map(variables.map((each) => [textAt(each, 'variable'), selectors.path(listAt(each, 'value_selector'))]));
  if (/\{[%#]/.test(text))
    report('import_departs', node.at, `The prompt of “${node.title}” is computed by Jinja. It is sent as it is written here.`);
  return text
    .split(/(\{\{\s*[\w.]+\s*\}\})/)
    .map((part) => {
      const [name = '', ...fields] = part.slice(2, -2).trim().split('.');
      const path = part.startsWith('{{') && part.endsWith('}}') ? paths.get(name) : null;
      return path ? `{${[...path, ...fields].join('.')}}` : literalTemplate(part);
    })
    .join('');
}

/** An agent chooses the class, a choice follows it. */
export function readClassifier(node: DifyNode, context: DifyContext): void {
  const { data, title, key, id, note } = node;
  const classes = objectsAt(data, 'classes').map((each) => ({
    id: textAt(each, 'id'),
    name: context.selectors.template(textAt(each, 'name')),
  }));
  const path = context.selectors.path(listAt(data, 'query_variable_selector')) ?? ['query'];
  const instruction = context.selectors.template(textAt(data, 'instruction') || textAt(data, 'instructions'));
  const list = classes.map((each) => `- ${each.id}: ${each.name}`).join('\n');
  const preamble = `Choose the class that fits the text best. Answer with its id and its name.\n\nClasses:\n${list}${instruction ? `\n\n${instruction}` : ''}`;
  const schema: JsonSchema = {
    type: 'object',
    properties: { id: { type: 'string', enum: classes.map((each) => each.id) }, name: { type: 'string' } },
    required: ['id', 'name'],
  };
  agentNode({ ...node, ...(note && { note }) }, { preamble, prompt: `{${path.join('.')}}` }, schema, context);
  const choice = `${id}$choice`;
  context.continueFrom(node, choice);
  const cases = classes.slice(0, -1).map((each) => ({ output: each.id, when: `data.${key}.id === ${JSON.stringify(each.id)}` }));
  context.node({
    id: choice,
    title: `${title}: which class`,
    key: context.names.field(`${key} choice`),
    does: { kind: 'choice', cases, otherwise: classes.at(-1)?.id ?? '' },
  });
}

/** An agent that extracts fields. */
export function readExtractor(node: DifyNode, context: DifyContext): void {
  const { data } = node;
  const types: Readonly<Record<string, JsonSchema>> = {
    string: { type: 'string' },
    number: { type: 'number' },
    bool: { type: 'boolean' },
    boolean: { type: 'boolean' },
    'array[string]': { type: 'array', items: { type: 'string' } },
    'array[number]': { type: 'array', items: { type: 'number' } },
    'array[object]': { type: 'array', items: { type: 'object' } },
  };
  const parameters = objectsAt(data, 'parameters');
  const properties = Object.fromEntries(
    parameters.map((each) => {
      const type = types[textAt(each, 'type')] ?? { type: 'string' };
      const options = listAt(each, 'options');
      return [
        textAt(each, 'name'),
        { ...(type as JsonObject), description: textAt(each, 'description'), ...(options.length > 0 && { enum: options }) },
      ];
    }),
  );
  const schema: JsonSchema = {
    type: 'object',
    properties,
    required: parameters.filter(({ required }) => required === true).map((each) => textAt(each, 'name')),
  };
  const path = context.selectors.path(listAt(data, 'query')) ?? ['query'];
  const instruction = context.selectors.template(textAt(data, 'instruction'));
  agentNode(
    node,
    {
      preamble: `Extract the fields of the answer from the text.${instruction ? `\n\n${instruction}` : ''}`,
      prompt: `{${path.join('.')}}`,
    },
    schema,
    context,
  );
}

/** A node that runs an agent of a plugin; its tools are left out. */
export function readAgent(node: DifyNode, context: DifyContext): void {
  const parameters = objectAt(node.data, 'agent_parameters');
  const of = (name: string) => context.selectors.template(textAt(objectAt(parameters, name), 'value'));
  for (const tool of listAt(objectAt(parameters, 'tools'), 'value'))
    if (objectAt({ tool }, 'tool').enabled !== false)
      context.report(
        'import_ignored',
        node.at,
        `“${node.title}” has the tool “${textAt(tool, 'tool_name') || 'without a name'}”, which is left out. Add a tool that does the same.`,
      );
  const model = objectAt(objectAt(parameters, 'model'), 'value');
  agentNode(
    { ...node, data: { ...node.data, model } },
    { ...(of('instruction') && { preamble: of('instruction') }), prompt: of('query') || '{query}' },
    null,
    context,
  );
}
