import { valueAt } from '#shared/import/js-text.ts';
import { listAt, objectAt, objectsAt, textAt } from '#shared/import/json-fields.ts';
import type { Json, JsonObject } from '#shared/json.ts';
import { readAgent, readClassifier, readExtractor, readLlm } from './agent-nodes.ts';
import { readCode, readTemplate } from './code-nodes.ts';
import type { DifyContext, DifyNode } from './dify-reader.ts';
import { readHttp, readTool } from './http-nodes.ts';
import { readIteration, readLoop } from './loop-nodes.ts';
import { put } from './put.ts';

type ReadNode = (node: DifyNode, context: DifyContext) => void;

const readMarker: ReadNode = (node, context) => put(node, { kind: 'pass', marker: true }, context);

const readEnd: ReadNode = (node, context) => {
  const entries = objectsAt(node.data, 'outputs').map(
    (output) => `${JSON.stringify(textAt(output, 'variable'))}: ${context.selectors.value(listAt(output, 'value_selector'))} ?? null`,
  );
  put(node, { kind: 'code', code: `({ ${entries.join(', ')} })`, schema: { type: 'object' } }, context);
};

const readAnswer: ReadNode = (node, context) =>
  put(node, { kind: 'code', code: context.selectors.text(textAt(node.data, 'answer')), schema: { type: 'string' } }, context);

const readIfElse: ReadNode = (node, context) => {
  const { data } = node;
  const given = objectsAt(data, 'cases');
  const cases =
    given.length > 0
      ? given
      : [{ case_id: 'true', logical_operator: textAt(data, 'logical_operator'), conditions: objectsAt(data, 'conditions') } as JsonObject];
  put(
    node,
    {
      kind: 'choice',
      cases: cases.map((each) => ({
        output: textAt(each, 'case_id') || textAt(each, 'id'),
        when: context.reader.conditions(objectsAt(each, 'conditions'), textAt(each, 'logical_operator'), node),
      })),
      otherwise: 'false',
    },
    context,
  );
};

const readAggregator: ReadNode = (node, context) => {
  const first = (list: readonly Json[]) =>
    `([${list.map((selector) => (Array.isArray(selector) ? context.selectors.value(selector) : 'undefined')).join(', ')}].find((each) => each !== undefined && each !== null) ?? null)`;
  const groups = objectsAt(objectAt(node.data, 'advanced_settings'), 'groups');
  const grouped = objectAt(node.data, 'advanced_settings').group_enabled === true && groups.length > 0;
  const code = grouped
    ? `({ ${groups.map((group) => `${JSON.stringify(textAt(group, 'group_name'))}: ${first(listAt(group, 'variables'))}`).join(', ')} })`
    : first(listAt(node.data, 'variables'));
  put(node, { kind: 'code', code, schema: true }, context);
};

/** Writes variables of the conversation or of a loop. */
const readAssigner: ReadNode = (node, context) => {
  const { data } = node;
  const items = objectsAt(data, 'items');
  const old = {
    variable_selector: listAt(data, 'assigned_variable_selector'),
    operation: textAt(data, 'write_mode'),
    input_type: 'variable',
    value: listAt(data, 'input_variable_selector'),
  };
  const lines = (items.length > 0 ? items : [old as JsonObject]).map((item) => assignment(item, node, context));
  put(
    node,
    {
      kind: 'change',
      code: `(() => { const next = JSON.parse(JSON.stringify(data)); ${lines.join(' ')} return next; })()`,
      keys: {},
    },
    context,
  );
};

function assignment(item: JsonObject, node: DifyNode, { selectors, report }: DifyContext): string {
  const path = selectors.path(listAt(item, 'variable_selector'));
  const value = item.input_type === 'constant' ? JSON.stringify(item.value ?? null) : selectors.value(listAt(item, 'value'));
  if (!path || path.length < 2) return '';
  const target = valueAt(path).replaceAll('?.', '.').replace(/^data/, 'next');
  switch (textAt(item, 'operation')) {
    case 'over-write':
    case 'set':
      return `${target} = ${value} ?? null;`;
    case 'clear':
      return `${target} = Array.isArray(${target}) ? [] : typeof ${target} === 'number' ? 0 : typeof ${target} === 'object' ? {} : '';`;
    case 'append':
      return `${target} = [...(${target} ?? []), ${value}];`;
    case 'extend':
      return `${target} = [...(${target} ?? []), ...(${value} ?? [])];`;
    case 'remove-first':
      return `${target} = (${target} ?? []).slice(1);`;
    case 'remove-last':
      return `${target} = (${target} ?? []).slice(0, -1);`;
    case '+=':
    case '-=':
    case '*=':
    case '/=':
      return `${target} ${textAt(item, 'operation')} ${value};`;
    default:
      report('import_departs', node.at, `“${node.title}” uses the operation “${textAt(item, 'operation')}”, which is left out.`);
      return '';
  }
}

const readListOperator: ReadNode = (node, context) => {
  const { data } = node;
  const list = `(${context.selectors.value(listAt(data, 'variable'))} ?? [])`;
  const order = objectAt(data, 'order_by');
  const limit = objectAt(data, 'limit');
  if (objectAt(data, 'filter_by').enabled === true || objectAt(data, 'extract_by').enabled === true || textAt(order, 'key') !== '') {
    const message = `“${node.title}” filters or sorts a list by a field. Replace this node.`;
    context.report('import_placeholder', node.at, message);
    return put(node, { kind: 'placeholder', message }, context);
  }
  const sorted =
    order.enabled === true ? `.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0) * ${textAt(order, 'value') === 'desc' ? -1 : 1})` : '';
  const cut = limit.enabled === true ? `.slice(0, ${Number(limit.size ?? 10)})` : '';
  put(
    node,
    {
      kind: 'code',
      code: `((result) => ({ result, first_record: result[0] ?? null, last_record: result.at(-1) ?? null }))(${list}${sorted}${cut})`,
      schema: { type: 'object' },
    },
    context,
  );
};

const readHumanInput: ReadNode = (node, context) => put(node, { kind: 'ask', schema: true }, context);

/** Readers by type of node. What is not listed becomes a placeholder. */
export const nodeReaders: Readonly<Record<string, ReadNode | undefined>> = {
  start: readMarker,
  'iteration-start': readMarker,
  'loop-start': readMarker,
  end: readEnd,
  answer: readAnswer,
  llm: readLlm,
  agent: readAgent,
  'question-classifier': readClassifier,
  'parameter-extractor': readExtractor,
  'if-else': readIfElse,
  code: readCode,
  'template-transform': readTemplate,
  'variable-aggregator': readAggregator,
  'variable-assigner': readAggregator,
  assigner: readAssigner,
  'list-operator': readListOperator,
  'http-request': readHttp,
  tool: readTool,
  iteration: readIteration,
  loop: readLoop,
  'human-input': readHumanInput,
};
