import type { ForeignEdge, ForeignNode, ForeignReading } from '#shared/import/foreign-graph.ts';
import type { ReportForeign } from '#shared/import/foreign-problem.ts';
import { listAt, objectAt, objectsAt, textAt } from '#shared/import/json-fields.ts';
import { Names } from '#shared/import/names.ts';
import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '#shared/json.ts';
import { both, type N8nContext, type N8nNode } from './context.ts';
import { reportNodeSettings, reportWorkflowSettings } from './left-out-settings.ts';
import { nodeReaderOf } from './node-readers.ts';

/** Whether a value is a workflow as n8n exports it. */
export function isN8n(value: Json): boolean {
  return isJsonObject(value) && Array.isArray(value.nodes) && isJsonObject(value.connections);
}

/** Nodes that turn items into other numbers of items. */
const ofLists = new Set(['splitOut', 'aggregate', 'itemLists', 'limit', 'sort', 'removeDuplicates', 'summarize', 'compareDatasets']);

const isTrigger = (kind: string) => /trigger$/i.test(kind) || kind === 'webhook' || kind === 'start' || kind === 'formTrigger';

/** Reads a workflow. Each node hands on one item, which is `data.json`. */
export function importN8n(value: Json, report: ReportForeign): ForeignReading | null {
  const connections = objectAt(value, 'connections');
  const names = new Names(['json', 'item', 'index']);
  const all = objectsAt(value, 'nodes').flatMap((raw, index): N8nNode[] => {
    const name = textAt(raw, 'name');
    const type = textAt(raw, 'type');
    const kind = type.split('.').at(-1) ?? '';
    if (name === '' || kind === 'stickyNote') return [];
    const note = textAt(raw, 'notes');
    return [
      {
        name,
        type,
        kind,
        raw,
        key: names.field(name),
        parameters: objectAt(raw, 'parameters'),
        at: ['nodes', index],
        ...(note && { note }),
      },
    ];
  });
  const byName = new Map(all.map((node) => [node.name, node]));
  const main = all.flatMap((node) => mainEdges(node, connections).filter(({ to }) => byName.has(to)));
  const triggers = all.filter(({ kind, raw }) => isTrigger(kind) && raw.disabled !== true);
  const start =
    triggers.find(({ name }) => main.some(({ from }) => from === name)) ??
    all.find(({ name }) => main.some(({ from }) => from === name) && !main.some(({ to }) => to === name));
  if (!start) {
    report('import_format', ['nodes'], 'The workflow has no trigger that leads to a node. Connect one, such as the manual trigger.');
    return null;
  }
  for (const { name, at } of triggers)
    if (name !== start.name) report('import_ignored', at, `The trigger “${name}” is left out: a flow has one input.`);
  for (const node of all) if (node.raw.disabled !== true) reportNodeSettings(node, report);
  reportWorkflowSettings(value, report);
  const attachedTo = (name: string, connection: string) =>
    all.filter((node) =>
      listAt(objectAt(connections, node.name), connection).some(
        (list) => Array.isArray(list) && list.some((each) => textAt(each, 'node') === name),
      ),
    );
  const helpers = new Set(
    all.filter(({ name }) => Object.keys(objectAt(connections, name)).some((kind) => kind.startsWith('ai_'))).map(({ name }) => name),
  );
  const graph: { nodes: ForeignNode[]; edges: ForeignEdge[] } = { nodes: [], edges: [...main] };
  const context: N8nContext = {
    names,
    report,
    keys: new Map(all.map(({ name, key }) => [name, key])),
    attached: attachedTo,
    sources: (name) => main.filter(({ to }) => to === name).map(({ from }) => from),
    node: (node) => graph.nodes.push(node),
    before: (id, node) => {
      graph.nodes.push(node);
      graph.edges = graph.edges.map((edge) => (edge.to === id ? { ...edge, to: node.id } : edge));
      graph.edges.push({ from: node.id, output: '', to: id });
    },
    after: (id, node) => {
      graph.nodes.push(node);
      graph.edges = graph.edges.map((edge) => (edge.from === id ? { ...edge, from: node.id } : edge));
      graph.edges.push({ from: id, output: '', to: node.id });
    },
  };
  const input = inputOf(start);
  for (const node of all) {
    if (node === start)
      context.node({
        id: node.name,
        title: node.name,
        key: node.key,
        does: { kind: 'code', code: input.code, schema: true },
        store: both(node.key),
      });
    else if (!isTrigger(node.kind) && !helpers.has(node.name)) readNode(node, context);
  }
  const choices = new Set(graph.nodes.filter(({ does }) => does.kind === 'choice').map(({ id }) => id));
  for (const { from, output } of graph.edges)
    if (!choices.has(from) && output !== '0' && output !== '')
      report(
        'import_ignored',
        ['connections', from],
        `What follows an error in “${from}” is left out: a failed step stops the run, and can be retried.`,
      );
  const edges = graph.edges.flatMap((edge) =>
    choices.has(edge.from) ? [edge] : edge.output === '0' || edge.output === '' ? [{ ...edge, output: '' }] : [],
  );
  report(
    'import_departs',
    ['nodes'],
    'n8n runs a node once for each item. Here a node runs once, with one item: use a For each node for lists.',
  );
  return {
    files: [],
    graph: {
      name: textAt(value, 'name') || 'n8n workflow',
      input: input.fields,
      required: input.required,
      start: start.name,
      nodes: graph.nodes,
      edges,
      result: 'data.json ?? {}',
      resultSchema: true,
    },
  };
}

function readNode(node: N8nNode, context: N8nContext): void {
  const { name, key, kind, at, raw, type } = node;
  if (raw.disabled === true) {
    context.node({ id: name, title: name, key, does: { kind: 'pass' } });
    return;
  }
  const read = nodeReaderOf(node);
  if (read) {
    read(node, context);
    return;
  }
  const instead = ofLists.has(kind)
    ? 'It works on lists of items: put the list into a field, and use code or a For each node.'
    : 'Use http_request, a tool of an MCP server, or code.';
  const message = `“${name}” (${type || kind}) is not carried over. ${instead}`;
  context.report('import_placeholder', at, message);
  context.node({
    id: name,
    title: name,
    key,
    does: { kind: 'placeholder', message },
    note: [node.note, JSON.stringify(node.parameters)].filter(Boolean).join('\n').slice(0, 2000),
  });
}

function mainEdges({ name }: N8nNode, connections: JsonObject): ForeignEdge[] {
  return listAt(objectAt(connections, name), 'main').flatMap((targets, output) =>
    Array.isArray(targets)
      ? targets.flatMap((target) => (textAt(target, 'node') ? [{ from: name, output: String(output), to: textAt(target, 'node') }] : []))
      : [],
  );
}

/** A chat's trigger takes its message; any other one an item. */
function inputOf({ kind }: N8nNode): { fields: Record<string, JsonSchema>; required: string[]; code: string } {
  if (kind === 'chatTrigger' || kind === 'manualChatTrigger')
    return { fields: { chatInput: { type: 'string' } }, required: ['chatInput'], code: '({ chatInput: data.chatInput })' };
  return { fields: { json: { type: 'object' } }, required: [], code: '(data.json ?? {})' };
}
