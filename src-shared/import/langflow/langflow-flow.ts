import type { ForeignEdge, ForeignNode, ForeignReading } from '#shared/import/foreign-graph.ts';
import type { ReportForeign } from '#shared/import/foreign-problem.ts';
import { listAt, objectAt, objectsAt, textAt } from '#shared/import/json-fields.ts';
import { Names } from '#shared/import/names.ts';
import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '#shared/json.ts';
import { componentReaders } from './component-readers.ts';
import { controlEdges } from './control-edges.ts';
import { reportComponentSettings } from './left-out-settings.ts';

/** Whether a value is a flow as Langflow exports it. */
export function isLangflow(value: Json): boolean {
  const data = objectAt(value, 'data');
  return Array.isArray(data.nodes) && Array.isArray(data.edges);
}

/** A component while it is read. */
export interface Component {
  readonly id: string;
  readonly type: string;
  readonly title: string;
  readonly note?: string;
  readonly key: string;
  readonly template: JsonObject;
  readonly at: readonly (string | number)[];
}

/** A wire: from an output of a component to a field of another. */
export interface Wire {
  readonly from: string;
  readonly output: string;
  readonly to: string;
  readonly field: string;
}

/** What the readers of components work with. */
export interface FlowContext {
  readonly names: Names;
  readonly report: ReportForeign;
  readonly node: (node: ForeignNode) => void;
  /** Adds a choice after a component: its wires begin there. */
  readonly choice: (id: string, node: ForeignNode) => void;
  /** The components wired to a field. */
  readonly sources: (id: string, field: string) => readonly Component[];
  /** The components that lead back to a loop with what they made of an item. */
  readonly back: (id: string) => readonly Component[];
  /** Adds a field of the flow's input and answers with its name. */
  readonly input: (name: string, schema: JsonSchema, required: boolean) => string;
}

/** Components that only configure another one: a model that is handed to an agent, a tool, a memory. */
const handedOn = /^(model_output|component_as_tool|api_build_tool|memory|embeddings)$/;

/** Reads a flow: each component runs once all that is wired to it has run. */
export function importLangflow(value: Json, report: ReportForeign): ForeignReading | null {
  const data = objectAt(value, 'data');
  const names = new Names(['item', 'index', 'input_value']);
  const given = objectsAt(data, 'nodes');
  const components = new Map(
    given.flatMap((node, index) => {
      const component = componentOf(node, index, names);
      return component ? [[component.id, component] as const] : [];
    }),
  );
  const wires = objectsAt(data, 'edges').flatMap((edge) => wireOf(edge, components));
  const helpers = new Set(
    [...components.keys()].filter(
      (id) => wires.some(({ from }) => from === id) && wires.every(({ from, output }) => from !== id || handedOn.test(output)),
    ),
  );
  const running = [...components.values()].filter(({ id }) => !helpers.has(id));
  if (running.length === 0) {
    report('import_format', ['data', 'nodes'], 'The flow has no component that can run.');
    return null;
  }
  const fields: Record<string, JsonSchema> = {};
  const required: string[] = [];
  const nodes: ForeignNode[] = [];
  const choices = new Map<string, string>();
  const context: FlowContext = {
    names,
    report,
    node: (node) => nodes.push(node),
    choice: (id, node) => {
      nodes.push(node);
      choices.set(id, node.id);
    },
    sources: (id, field) =>
      wires.filter((wire) => wire.to === id && wire.field === field).flatMap((wire) => components.get(wire.from) ?? []),
    back: (id) => wires.filter((wire) => wire.to === id && wire.field !== 'data').flatMap((wire) => components.get(wire.from) ?? []),
    input: (name, schema, isRequired) => {
      fields[name] = schema;
      if (isRequired) required.push(name);
      return name;
    },
  };
  for (const component of components.values()) reportComponentSettings(component, given[component.at[2] as number] ?? {}, report);
  for (const component of running) readComponent(component, context);
  const led = wires.filter(({ from, to }) => !helpers.has(from) && !helpers.has(to));
  const ordered = led.map(
    ({ from, to, output }): ForeignEdge => (choices.has(from) ? { from: choices.get(from) ?? from, to, output } : { from, to, output: '' }),
  );
  const { start, edges } = controlEdges(
    nodes.map(({ id }) => id),
    [...ordered, ...[...choices].map(([from, to]): ForeignEdge => ({ from, to, output: '' }))],
  );
  const outputs = running.filter(({ type }) => type === 'ChatOutput' || type === 'TextOutput');
  const last = outputs.length > 0 ? outputs : running.filter(({ id }) => !led.some(({ from }) => from === id));
  return {
    files: [],
    graph: {
      name: textAt(value, 'name') || 'Langflow flow',
      ...(textAt(value, 'description') && { description: textAt(value, 'description') }),
      input: fields,
      required,
      start,
      nodes,
      edges,
      result:
        last.length === 1
          ? `({ output: data.${last[0]?.key} ?? null })`
          : `({ ${last.map(({ key }) => `${key}: data.${key} ?? null`).join(', ')} })`,
      resultSchema: { type: 'object' },
    },
  };
}

function readComponent(component: Component, context: FlowContext): void {
  const { id, title, type, key, at, template } = component;
  const read = Object.hasOwn(componentReaders, type) ? componentReaders[type] : undefined;
  if (read) {
    read(component, context);
    return;
  }
  const message = `“${title}” (${type}) is not carried over. Replace this node.`;
  context.report('import_placeholder', at, message);
  const code = textAt(objectAt(template, 'code'), 'value');
  context.node({ id, title, key, does: { kind: 'placeholder', message }, ...(code && { note: code.slice(0, 2000) }) });
}

function componentOf(node: JsonObject, index: number, names: Names): Component | null {
  const data = objectAt(node, 'data');
  const id = textAt(node, 'id');
  const type = textAt(data, 'type');
  if (id === '' || type === '' || node.type === 'noteNode' || type === 'note') return null;
  const inner = objectAt(data, 'node');
  const title = textAt(inner, 'display_name') || type;
  return { id, type, title, key: names.field(title), template: objectAt(inner, 'template'), at: ['data', 'nodes', index] };
}

/** A wire's handles are objects; older files have them as text with `œ` in place of quotes. */
function wireOf(edge: JsonObject, components: ReadonlyMap<string, Component>): Wire[] {
  const handle = (name: 'sourceHandle' | 'targetHandle'): JsonObject => {
    const found = objectAt(objectAt(edge, 'data'), name);
    if (Object.keys(found).length > 0) return found;
    try {
      const value = JSON.parse(textAt(edge, name).replaceAll('œ', '"')) as Json;
      return isJsonObject(value) ? value : {};
    } catch {
      return {};
    }
  };
  const from = textAt(edge, 'source');
  const to = textAt(edge, 'target');
  if (!components.has(from) || !components.has(to)) return [];
  const [target, source] = [handle('targetHandle'), handle('sourceHandle')];
  return [
    { from, to, output: textAt(source, 'name') || String(listAt(source, 'output_types')[0] ?? ''), field: textAt(target, 'fieldName') },
  ];
}
