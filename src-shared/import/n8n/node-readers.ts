import type { Deed, ForeignNode } from '#shared/import/foreign-graph.ts';
import { listAt, objectAt, objectsAt, textAt } from '#shared/import/json-fields.ts';
import { isJsonObject, type Json } from '#shared/json.ts';
import { readAgent, readChain, readChatModel, readClassifier, readExtractor } from './agent-nodes.ts';
import { compare, conditionsCode } from './conditions.ts';
import { both, type N8nContext, type N8nNode } from './context.ts';
import { parameterCode, scriptCode } from './expressions.ts';
import { readHttp } from './http-node.ts';

type ReadNode = (node: N8nNode, context: N8nContext) => void;

function put({ name, key, note }: N8nNode, does: Deed, { node }: N8nContext, store = true): void {
  const made: ForeignNode = {
    id: name,
    title: name,
    key,
    does,
    ...(note && { note }),
    ...(store && does.kind !== 'choice' && does.kind !== 'pass' && { store: both(key) }),
  };
  node(made);
}

function placeholder(node: N8nNode, message: string, context: N8nContext, source?: string): void {
  context.report('import_placeholder', node.at, message);
  context.node({
    id: node.name,
    title: node.name,
    key: node.key,
    does: { kind: 'placeholder', message },
    ...(source && { note: source.slice(0, 2000) }),
  });
}

/** Tells that an expression is not carried over. */
const blockedIn =
  (node: N8nNode, { report }: N8nContext) =>
  (what: string) =>
    report(
      'import_departs',
      node.at,
      `“${node.name}” uses ${what}, which is not supported. Its value is empty, or its condition never holds.`,
    );

const readSet: ReadNode = (node, context) => {
  const { parameters } = node;
  const blocked = blockedIn(node, context);
  const value = (given: Json) => {
    const { code, blocked: what } = parameterCode(given, context.keys);
    if (what !== undefined) blocked(what);
    return code;
  };
  if (textAt(parameters, 'mode') === 'raw') {
    const raw = value(parameters.jsonOutput ?? '{}');
    return put(
      node,
      { kind: 'code', code: `((given) => typeof given === 'string' ? JSON.parse(given) : given)(${raw})`, schema: { type: 'object' } },
      context,
    );
  }
  const newer = [...objectsAt(objectAt(parameters, 'assignments'), 'assignments'), ...objectsAt(objectAt(parameters, 'fields'), 'values')];
  const older = Object.values(objectAt(parameters, 'values')).flatMap((list) => (Array.isArray(list) ? list.filter(isJsonObject) : []));
  const fields = [...newer, ...older].map(
    (each) =>
      [textAt(each, 'name'), typed(value(each.value ?? each.stringValue ?? each.numberValue ?? null), textAt(each, 'type'))] as const,
  );
  const keeps = parameters.includeOtherFields === true || (older.length > 0 && parameters.keepOnlySet !== true);
  const lines = fields.map(
    ([name, code]) => `${name.split('.').reduce((path, part) => `${path}[${JSON.stringify(part)}]`, 'next')} = ${code};`,
  );
  const nested = fields.flatMap(([name]) => {
    const parts = name.split('.').slice(0, -1);
    return parts.map(
      (_, index) =>
        `next${parts
          .slice(0, index + 1)
          .map((part) => `[${JSON.stringify(part)}]`)
          .join('')} ??= {};`,
    );
  });
  put(
    node,
    {
      kind: 'code',
      code: `(() => { const next = ${keeps ? '{ ...data.json }' : '{}'}; ${[...nested, ...lines].join(' ')} return next; })()`,
      schema: { type: 'object' },
    },
    context,
  );
};

function typed(code: string, type: string): string {
  if (type === 'number') return `Number(${code})`;
  if (type === 'boolean') return `((given) => given === true || given === 'true')(${code})`;
  if (type === 'array' || type === 'object') return `((given) => typeof given === 'string' ? JSON.parse(given) : given)(${code})`;
  return code;
}

const readIf: ReadNode = (node, context) => {
  const { parameters } = node;
  const when = conditionsCode(
    parameters.conditions,
    textAt(parameters, 'combineOperation') || 'all',
    context.keys,
    blockedIn(node, context),
  );
  put(node, { kind: 'choice', cases: [{ output: '0', when }], otherwise: '1' }, context);
};

const readSwitch: ReadNode = (node, context) => {
  const { parameters } = node;
  const blocked = blockedIn(node, context);
  const newer = objectsAt(objectAt(parameters, 'rules'), 'values');
  const older = objectsAt(objectAt(parameters, 'rules'), 'rules');
  const cases =
    newer.length > 0
      ? newer.map((rule, index) => ({ output: String(index), when: conditionsCode(rule.conditions, 'and', context.keys, blocked) }))
      : older.map((rule) => ({
          output: String(rule.output ?? 0),
          when: compare(textAt(rule, 'operation') || 'equal', parameters.value1 ?? null, rule.value2 ?? null, context.keys, blocked),
        }));
  if (cases.length === 0) {
    const { code, blocked: what } = parameterCode(parameters.output ?? null, context.keys);
    if (what !== undefined) blocked(what);
    const outputs = Number(parameters.numberOutputs ?? 4);
    const chosen = Array.from({ length: outputs }, (_, index) => ({ output: String(index), when: `Number(${code}) === ${index}` }));
    return put(node, { kind: 'choice', cases: chosen, otherwise: 'none' }, context);
  }
  const fallback = objectAt(parameters, 'options').fallbackOutput ?? parameters.fallbackOutput;
  put(
    node,
    {
      kind: 'choice',
      cases,
      otherwise: fallback === 'extra' ? String(cases.length) : typeof fallback === 'number' && fallback >= 0 ? String(fallback) : 'none',
    },
    context,
  );
};

const readFilter: ReadNode = (node, context) => {
  const when = conditionsCode(node.parameters.conditions, 'and', context.keys, blockedIn(node, context));
  put(node, { kind: 'choice', cases: [{ output: '0', when }], otherwise: 'none' }, context);
};

const readCode: ReadNode = (node, context) => {
  const { parameters, name } = node;
  const language = textAt(parameters, 'language');
  const source = textAt(parameters, 'jsCode') || textAt(parameters, 'functionCode');
  if (language.startsWith('python') || source === '')
    return placeholder(
      node,
      `The code of “${name}” is ${language.startsWith('python') ? 'Python, which works on n8n’s own objects' : 'empty'}. Replace this node.`,
      context,
      textAt(parameters, 'pythonCode'),
    );
  const script = scriptCode(source, context.keys);
  if ('blocked' in script)
    return placeholder(
      node,
      `The code of “${name}” uses “${script.blocked}”, which the sandbox does not have. Replace this node.`,
      context,
      source,
    );
  put(node, { kind: 'code', code: script.code, schema: { type: 'object' } }, context);
};

/** All that leads here, as one item. */
const readMerge: ReadNode = (node, context) => {
  const items = context
    .sources(node.name)
    .flatMap((name) => context.keys.get(name) ?? [])
    .map((key) => `data.${key}`);
  put(node, { kind: 'code', code: `Object.assign({}, ${items.join(', ')})`, schema: { type: 'object' } }, context);
};

/** One item: the loop is entered once. */
const readBatches: ReadNode = (node, context) => {
  const count = context.names.field(`${node.key} round`);
  put(node, { kind: 'choice', cases: [{ output: '1', when: `data.${count} === 1` }], otherwise: '0' }, context);
  const code = `({ ...data, ${count}: (data.${count} ?? 0) + 1 })`;
  context.before(node.name, {
    id: `${node.name}$count`,
    title: `Count ${node.name}`,
    key: context.names.field(`${node.key} count`),
    does: { kind: 'change', code, keys: { [count]: { type: 'integer' } } },
  });
};

const readStop: ReadNode = (node, context) => {
  const { code, blocked } = parameterCode(node.parameters.errorMessage ?? 'The workflow was stopped.', context.keys);
  if (blocked !== undefined) blockedIn(node, context)(blocked);
  put(node, { kind: 'code', code: `(() => { throw new Error(${code}); })()`, schema: true }, context);
};

const readWait: ReadNode = (node, context) => {
  if (['webhook', 'form'].includes(textAt(node.parameters, 'resume')))
    return put(node, { kind: 'ask', schema: { type: 'object' } }, context);
  context.report('import_departs', node.at, `“${node.name}” waits for a time. Here the run goes on at once.`);
  put(node, { kind: 'pass' }, context);
};

/** A message that waits for an approval: the person answers here. */
const readApproval: ReadNode = (node, context) => {
  context.report(
    'import_departs',
    node.at,
    `“${node.name}” asks for an approval by a message. Here the run waits for it, and nothing is sent.`,
  );
  context.node({
    id: node.name,
    title: node.name,
    key: node.key,
    does: { kind: 'ask', schema: { type: 'boolean', description: textAt(node.parameters, 'message').replace(/^=/, '') || 'Approve?' } },
    store: (result) => ({ [node.key]: `{ data: { approved: ${result} } }`, json: `{ data: { approved: ${result} } }` }),
  });
};

const readPass: ReadNode = (node, context) => put(node, { kind: 'pass' }, context);

const readers: Readonly<Record<string, ReadNode | undefined>> = {
  set: readSet,
  if: readIf,
  switch: readSwitch,
  filter: readFilter,
  code: readCode,
  function: readCode,
  functionItem: readCode,
  merge: readMerge,
  noOp: readPass,
  respondToWebhook: readPass,
  splitInBatches: readBatches,
  stopAndError: readStop,
  wait: readWait,
  httpRequest: readHttp,
  agent: readAgent,
  chainLlm: readChain,
  openAi: readChatModel,
  anthropic: readChatModel,
  googleGemini: readChatModel,
  ollama: readChatModel,
  textClassifier: readClassifier,
  informationExtractor: readExtractor,
};

/** The reader of a node; undefined: it becomes a placeholder. */
export function nodeReaderOf({ kind, parameters, type }: N8nNode): ReadNode | undefined {
  if (textAt(parameters, 'operation') === 'sendAndWait') return readApproval;
  // The older OpenAI node has the same name in another package.
  if (
    ['openAi', 'anthropic', 'googleGemini', 'ollama'].includes(kind) &&
    (!type.includes('langchain') || listAt(objectAt(parameters, 'messages'), 'values').length === 0)
  )
    return undefined;
  return Object.hasOwn(readers, kind) ? readers[kind] : undefined;
}
