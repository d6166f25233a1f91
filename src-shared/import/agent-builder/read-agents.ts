import type { AnyNode, NewExpression, ObjectExpression, VariableDeclarator } from 'acorn';
import type { AgentSettings } from '#shared/flow/document.ts';
import { literalTemplate } from '#shared/flow/template.ts';
import type { ReportForeign } from '#shared/import/foreign-problem.ts';
import type { Json, JsonObject, JsonSchema } from '#shared/json.ts';
import { literalValue, propertiesOf } from './literal.ts';
import { isFunction, lineOf, type ModuleSource, textOf, unexported, walk } from './module-source.ts';
import { zodSchema } from './zod-schema.ts';

/** An agent of the module. Its instructions are a template over the values that a run of it is given as its context. */
export interface BuilderAgent {
  readonly name: string;
  readonly settings: Omit<AgentSettings, 'preamble' | 'prompt' | 'mode'>;
  readonly instructions: string;
  /** Names within `instructions` that come from the context of a run. */
  readonly context: readonly string[];
  /** Null: it answers with text. */
  readonly schema: JsonSchema | null;
}

/** What a module declares at its top. */
export interface Declarations {
  readonly agents: ReadonlyMap<string, BuilderAgent>;
  /** Everything else by name, with its source. */
  readonly others: ReadonlyMap<string, { readonly source: string; readonly node: AnyNode }>;
}

export function readDeclarations(module: ModuleSource, report: ReportForeign): Declarations {
  const agents = new Map<string, BuilderAgent>();
  const others = new Map<string, { source: string; node: AnyNode }>();
  const schemas = new Map<string, JsonSchema>();
  for (const top of module.program.body) {
    const statement = unexported(top);
    if (statement?.type === 'FunctionDeclaration') others.set(statement.id.name, { source: textOf(module, statement), node: statement });
    if (statement?.type !== 'VariableDeclaration') continue;
    for (const each of statement.declarations) {
      if (each.id.type !== 'Identifier' || !each.init) continue;
      const settings = newAgent(each.init);
      if (settings) agents.set(each.id.name, readAgent(each, settings, { module, schemas, others, report }));
      else others.set(each.id.name, { source: `const ${textOf(module, each)};`, node: each });
      if (/^z\b/.test(textOf(module, each.init))) schemas.set(each.id.name, zodSchema(each.init, schemas));
    }
  }
  return { agents, others };
}

function newAgent(node: AnyNode): ObjectExpression | null {
  const call = node as NewExpression;
  const isAgent =
    (node.type === 'NewExpression' && call.callee.type === 'Identifier' && call.callee.name === 'Agent') || isAgentCreate(node);
  const [first] = isAgent ? call.arguments : [];
  return first?.type === 'ObjectExpression' ? first : null;
}

function isAgentCreate(node: AnyNode): boolean {
  return (
    node.type === 'CallExpression' &&
    node.callee.type === 'MemberExpression' &&
    node.callee.object.type === 'Identifier' &&
    node.callee.object.name === 'Agent'
  );
}

interface Reading {
  readonly module: ModuleSource;
  readonly schemas: ReadonlyMap<string, JsonSchema>;
  readonly others: ReadonlyMap<string, { readonly source: string; readonly node: AnyNode }>;
  readonly report: ReportForeign;
}

const knownKeys = new Set(['name', 'instructions', 'model', 'modelSettings', 'outputType', 'tools']);

function readAgent(declared: VariableDeclarator, node: ObjectExpression, reading: Reading): BuilderAgent {
  const { report, schemas } = reading;
  const properties = propertiesOf(node);
  const line = lineOf(declared);
  const given = literalValue(properties.get('name'));
  const name = typeof given === 'string' ? given : declared.id.type === 'Identifier' ? declared.id.name : 'Agent';
  for (const key of properties.keys())
    if (!knownKeys.has(key)) report('import_ignored', line, `The agent “${name}” has "${key}", which is left out.`);
  const model = literalValue(properties.get('model'));
  if (typeof model !== 'string')
    report('import_departs', line, `The agent “${name}” computes its model or has none. It uses gpt-4.1 here; change its model if needed.`);
  const { text, context } = readInstructions(properties.get('instructions'), name, line, reading);
  const outputType = properties.get('outputType');
  readTools(properties.get('tools'), name, line, reading);
  return {
    name,
    settings: {
      model: `openai://${typeof model === 'string' ? model : 'gpt-4.1'}`,
      ...params(literalValue(properties.get('modelSettings')), name, line, report),
    },
    instructions: text,
    context,
    schema: outputType ? zodSchema(outputType, schemas) : null,
  };
}

function params(
  value: Json | undefined,
  name: string,
  line: number,
  report: ReportForeign,
): { params?: NonNullable<AgentSettings['params']> } {
  if (value === undefined) return {};
  const { temperature, topP, maxTokens, reasoning, store: _store, ...rest } = value as JsonObject;
  for (const key of Object.keys(rest))
    report('import_ignored', line, `The agent “${name}” has the model setting "${key}", which is left out.`);
  const effort = (reasoning as JsonObject | undefined)?.effort;
  const found = {
    ...(typeof temperature === 'number' && { temperature }),
    ...(typeof topP === 'number' && { top_p: topP }),
    ...(typeof maxTokens === 'number' && { max_tokens: maxTokens }),
    ...(typeof effort === 'string' && effort !== 'none' && { options: { reasoning_effort: effort } }),
  };
  return Object.keys(found).length > 0 ? { params: found } : {};
}

/** A text, a template, the name of either, or a function of the run's context that returns one. */
function readInstructions(node: AnyNode | undefined, agent: string, line: number, reading: Reading): { text: string; context: string[] } {
  if (!node) return { text: '', context: [] };
  const literal = literalValue(node);
  if (typeof literal === 'string') return { text: literalTemplate(literal), context: [] };
  if (node.type === 'Identifier') {
    const declared = reading.others.get(node.name)?.node;
    const init = declared?.type === 'VariableDeclarator' ? (declared.init ?? undefined) : declared;
    if (init) return readInstructions(init, agent, line, reading);
  }
  if (isFunction(node)) {
    let template: AnyNode | null = null;
    walk(node, (each) => {
      if (each.type === 'TemplateLiteral' || each.type === 'Literal') template ??= each;
      return template === null;
    });
    if (template) return readInstructions(template, agent, line, reading);
  }
  if (node.type === 'TemplateLiteral') {
    const names = node.expressions.map((each) => contextName(each));
    if (names.every((each) => each !== null)) {
      const text = node.quasis
        .map((quasi, index) => literalTemplate(quasi.value.cooked ?? '') + (index < names.length ? `\u0000${names[index]}\u0000` : ''))
        .join('');
      return { text, context: [...new Set(names)] };
    }
  }
  reading.report(
    'import_departs',
    line,
    `The instructions of “${agent}” are computed by code that is not carried over. Write them into its preamble.`,
  );
  return { text: '', context: [] };
}

/** `stateTopic`, or `runContext.context.stateTopic`. */
function contextName(node: AnyNode): string | null {
  if (node.type === 'Identifier') return node.name;
  return node.type === 'MemberExpression' && !node.computed && node.property.type === 'Identifier' ? node.property.name : null;
}

const vendorTools: Readonly<Record<string, string>> = {
  webSearchTool: 'Web search runs at OpenAI and is left out. The tool scrape_url reads a page; an MCP server can search.',
  fileSearchTool:
    'File search runs at OpenAI on files stored there and is left out. Put the files into this folder and use search_files and read_file.',
  codeInterpreterTool: 'The code interpreter runs at OpenAI and is left out. Use run_command, or an MCP server.',
  imageGenerationTool: 'Image generation runs at OpenAI and is left out. An MCP server can do it.',
};

function readTools(node: AnyNode | undefined, agent: string, line: number, { others, module, report }: Reading): void {
  if (node?.type !== 'ArrayExpression') return;
  for (const element of node.elements) {
    const declared = element?.type === 'Identifier' ? others.get(element.name)?.node : element;
    const call = declared?.type === 'VariableDeclarator' ? declared.init : declared;
    if (call?.type !== 'CallExpression' || call.callee.type !== 'Identifier') {
      if (element) report('import_ignored', line, `The agent “${agent}” has the tool ${textOf(module, element)}, which is left out.`);
      continue;
    }
    const [first] = call.arguments;
    const settings = first?.type === 'ObjectExpression' ? propertiesOf(first) : new Map<string, AnyNode>();
    if (call.callee.name === 'hostedMcpTool') {
      const label = String(literalValue(settings.get('serverLabel')) ?? 'NAME');
      const url = String(literalValue(settings.get('serverUrl')) ?? 'its address');
      report(
        'import_ignored',
        line,
        `The agent “${agent}” uses the MCP server “${label}” (${url}). Add it under "mcp_servers" in pravah.json, then list its tools as mcp:${label}/NAME.`,
      );
    } else if (call.callee.name === 'tool') {
      const name = String(literalValue(settings.get('name')) ?? 'NAME');
      report(
        'import_ignored',
        line,
        `The agent “${agent}” calls your function “${name}”, which is left out. Write it as tools/${name}.ts and list ./tools/${name}.ts in its tools.`,
      );
    } else {
      const message = vendorTools[call.callee.name] ?? `The tool ${call.callee.name} is not known here and is left out.`;
      report('import_ignored', line, `Agent “${agent}”: ${message}`);
    }
  }
}
