import { endOfFlow, type ForeignEdge, type ForeignNode, type ForeignReading } from '#shared/import/foreign-graph.ts';
import type { ReportForeign } from '#shared/import/foreign-problem.ts';
import { objectAt, objectsAt, textAt } from '#shared/import/json-fields.ts';
import { Names } from '#shared/import/names.ts';
import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '#shared/json.ts';

/** Whether a value is what LangGraph's `graph.get_graph().to_json()` (or `getGraphAsync()` in JavaScript) gives. */
export function isLangGraph(value: Json): boolean {
  return (
    isJsonObject(value) &&
    Array.isArray(value.nodes) &&
    Array.isArray(value.edges) &&
    objectsAt(value, 'edges').every(
      (edge) => (typeof edge.source === 'string' || typeof edge.source === 'number') && edge.target !== undefined,
    ) &&
    objectsAt(value, 'nodes').some((node) => isStart(String(node.id)) || textAt(node, 'type') === 'runnable')
  );
}

const isStart = (id: string) => id === '__start__' || /(^|:)__start__$/.test(id);
const isEnd = (id: string) => id === '__end__' || /(^|:)__end__$/.test(id);

/**
 * Reads the structure of a LangGraph graph. The file has names and edges only: each node becomes a placeholder for its function, and each conditional
 * edge a choice that must be written.
 */
export function importLangGraph(value: Json, report: ReportForeign): ForeignReading | null {
  const given = objectsAt(value, 'nodes');
  const names = new Names(['messages']);
  const start = given.find(({ id }) => isStart(String(id)));
  if (!start) {
    report('import_format', ['nodes'], 'The graph has no node __start__. Export it with json.dumps(graph.get_graph().to_json()).');
    return null;
  }
  const nodes: ForeignNode[] = [];
  const edges: ForeignEdge[] = [];
  const to = (id: Json | undefined) => (isEnd(String(id)) ? endOfFlow : String(id));
  for (const [index, node] of given.entries()) {
    const id = String(node.id);
    if (isEnd(id)) continue;
    const title = titleOf(node);
    const key = names.field(title);
    const leading = objectsAt(value, 'edges').filter((edge) => String(edge.source) === id);
    const conditional = leading.filter((edge) => edge.conditional === true);
    if (isStart(id)) nodes.push({ id, title: 'Start', key, does: { kind: 'pass', marker: true } });
    else {
      reportInterrupt(node, title, index, report);
      const message = `Write what the node “${title}” does: LangGraph's file has only its name.`;
      report('import_placeholder', ['nodes', index], message);
      nodes.push({ id, title, key, does: { kind: 'placeholder', message }, ...noteOf(node) });
    }
    for (const edge of leading) if (edge.conditional !== true) edges.push({ from: id, output: '', to: to(edge.target) });
    if (conditional.length === 0) continue;
    const choice = `${id}$choice`;
    const outputs = [...new Set(conditional.map((edge) => to(edge.target)))];
    const labels = new Map(conditional.map((edge) => [to(edge.target), textAt(edge, 'data') || String(edge.target)]));
    const last = outputs.at(-1) ?? endOfFlow;
    const message = `Write when “${title}” goes to ${outputs.map((output) => `“${labels.get(output)}”`).join(', ')}: LangGraph's file does not say.`;
    report('import_placeholder', ['nodes', index], message);
    const when = `(() => { throw new Error(${JSON.stringify(message)}); })()`;
    nodes.push({
      id: choice,
      title: `After ${title}`,
      key: names.field(`after ${title}`),
      does:
        outputs.length === 1
          ? { kind: 'pass' }
          : { kind: 'choice', cases: outputs.slice(0, -1).map((output) => ({ output, when })), otherwise: last },
    });
    edges.push({ from: id, output: '', to: choice });
    for (const output of outputs) edges.push({ from: choice, output: outputs.length === 1 ? '' : output, to: output });
  }
  const schema = objectAt(objectAt(start, 'data'), 'schema');
  const properties = objectAt(schema, 'properties') as Readonly<Record<string, JsonSchema>>;
  const input: Readonly<Record<string, JsonSchema>> = Object.keys(properties).length > 0 ? properties : { messages: { type: 'array' } };
  return {
    files: [],
    graph: {
      name: textAt(value, 'name') || 'LangGraph graph',
      input,
      required: [],
      start: String(start.id),
      nodes,
      edges,
      result: 'data',
      resultSchema: { type: 'object' },
    },
  };
}

/** `interrupt_before` and `interrupt_after` of the compiled graph. */
function reportInterrupt(node: JsonObject, title: string, index: number, report: ReportForeign): void {
  const when = textAt(objectAt(node, 'metadata'), '__interrupt');
  if (when === '') return;
  const message = `“${title}” waits for a person (${when}), which is left out: put a Suspend node there.`;
  report('import_ignored', ['nodes', index], message);
}

/** A runnable's name; else its id, without the namespace of a subgraph. */
function titleOf(node: JsonObject): string {
  const name = textAt(objectAt(node, 'data'), 'name') || textAt(node, 'name');
  const id = String(node.id);
  return name !== '' && !name.startsWith('Runnable') ? name : (id.split(':').at(-1) ?? id);
}

function noteOf(node: JsonObject): { note?: string } {
  const id = objectAt(node, 'data').id;
  const path = Array.isArray(id) ? id.join('.') : '';
  const metadata = objectAt(node, 'metadata');
  const text = [path, Object.keys(metadata).length > 0 ? JSON.stringify(metadata) : ''].filter((part) => part !== '').join('\n');
  return text === '' ? {} : { note: text };
}
