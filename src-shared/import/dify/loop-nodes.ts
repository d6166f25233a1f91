import { endOfFlow } from '#shared/import/foreign-graph.ts';
import { listAt, numberAt, objectsAt, textAt } from '#shared/import/json-fields.ts';
import type { JsonObject } from '#shared/json.ts';
import type { DifyContext, DifyNode } from './dify-reader.ts';
import { put } from './put.ts';

/** An iteration runs a flow of its own for each item. */
export function readIteration(node: DifyNode, context: DifyContext): void {
  const { data, title, id, at } = node;
  const { nodes, edges } = context.reader.subgraph(id);
  const start = context.reader.children(id).find(({ type }) => type === 'iteration-start')?.id ?? textAt(data, 'start_node_id');
  if (!nodes.some((each) => each.id === start)) {
    const message = `The iteration “${title}” has no nodes. Replace this node.`;
    context.report('import_placeholder', at, message);
    put(node, { kind: 'placeholder', message }, context);
    return;
  }
  const mode = textAt(data, 'error_handle_mode');
  if (mode !== '' && mode !== 'terminated')
    context.report('import_departs', at, `“${title}” goes on when an item fails. Here a failed item stops the run, and can be retried.`);
  put(
    node,
    {
      kind: 'each',
      list: `(${context.selectors.value(listAt(data, 'iterator_selector'))} ?? [])`,
      inner: {
        name: title,
        input: { index: { type: 'integer' } },
        required: ['index'],
        start,
        nodes,
        edges,
        result: `${context.selectors.value(listAt(data, 'output_selector'))} ?? null`,
        resultSchema: true,
      },
    },
    context,
  );
}

/** A loop is a choice that leads back: its variables and the number of its rounds are its result. */
export function readLoop(node: DifyNode, context: DifyContext): void {
  const { data, id, title, key, note } = node;
  const { reader, selectors } = context;
  const rounds = numberAt(data, 'loop_count') ?? 10;
  const { nodes, edges } = reader.subgraph(id);
  const children = reader.children(id);
  const start = children.find(({ type }) => type === 'loop-start')?.id ?? textAt(data, 'start_node_id');
  const check = `${id}$check`;
  const next = `${id}$next`;
  const variables = objectsAt(data, 'loop_variables').map(
    (each) => `${JSON.stringify(textAt(each, 'label'))}: ${initial(each, selectors.value(listAt(each, 'value')))}`,
  );
  context.continueFrom(node, check);
  context.node({
    id,
    title,
    key,
    does: { kind: 'code', code: `({ ${['loop_round: 0', ...variables].join(', ')} })`, schema: { type: 'object' } },
    ...(note && { note }),
  });
  const ended = reader.conditions(objectsAt(data, 'break_conditions'), textAt(data, 'logical_operator') || 'and', node);
  const goesOn = `data.${key}.loop_round < ${rounds}${objectsAt(data, 'break_conditions').length > 0 ? ` && !(data.${key}.loop_round > 0 && (${ended}))` : ''}`;
  const ends = new Set(children.filter(({ type }) => type === 'loop-end').map((each) => each.id));
  context.node({
    id: check,
    title: `${title}: again?`,
    key: context.names.field(`${key} check`),
    does: { kind: 'choice', cases: [{ output: 'again', when: goesOn }], otherwise: '' },
  });
  context.edge({ from: check, output: 'again', to: nodes.some((each) => each.id === start) ? start : next });
  context.node({
    id: next,
    title: `${title}: next round`,
    key: context.names.field(`${key} next`),
    does: { kind: 'change', code: `({ ...data, ${key}: { ...data.${key}, loop_round: data.${key}.loop_round + 1 } })`, keys: {} },
  });
  context.edge({ from: next, output: '', to: check });
  for (const each of nodes) {
    context.node(
      ends.has(each.id)
        ? { ...each, does: { kind: 'change', code: `({ ...data, ${key}: { ...data.${key}, loop_round: ${rounds} } })`, keys: {} } }
        : each,
    );
    const outputs = each.does.kind === 'choice' ? [...each.does.cases.map(({ output }) => output), each.does.otherwise] : [''];
    for (const output of outputs)
      if (!edges.some((edge) => edge.from === each.id && edge.output === output && edge.to !== endOfFlow))
        context.edge({ from: each.id, output, to: ends.has(each.id) ? check : next });
  }
  for (const edge of edges) context.edge(edge);
}

function initial(variable: JsonObject, code: string): string {
  if (textAt(variable, 'value_type') !== 'constant') return `${code} ?? null`;
  return JSON.stringify(variable.value ?? null);
}
