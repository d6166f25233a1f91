import type { DocumentNode, FlowDocument } from '#shared/flow/document.ts';
import type { JsonSchema } from '#shared/json.ts';
import { type DataStep, fieldsByState, schemaOf } from './data-states.ts';
import { emitNode } from './emit-node.ts';
import { endOfFlow, type ForeignGraph } from './foreign-graph.ts';
import type { ReportForeign } from './foreign-problem.ts';
import { Names } from './names.ts';
import { needsDataAfter } from './needed-data.ts';
import { settleParallel } from './settle-parallel.ts';
import { targetsOf } from './targets.ts';
import { withoutMarkers } from './without-markers.ts';

/** A flow made of another tool's, and the flows that it calls, by their path relative to it. */
export interface CompiledGraph {
  readonly document: FlowDocument;
  readonly inner: ReadonlyMap<string, FlowDocument>;
}

/** Above this many fields, every state has the same schema: the documents would be larger than useful. */
const mostFields = 40;

/**
 * Makes a flow of a graph: a state for each edge, `fork` and `join` where branches run side by side, an `either` for each way but one out of a choice.
 * Null, with a problem, if its structure cannot be kept. `fileName` gives the path of an inner flow from its name.
 */
export function compileGraph(graph: ForeignGraph, fileName: (name: string) => string, report: ReportForeign): CompiledGraph | null {
  const settled = settleParallel(withoutMarkers(graph), report);
  if (!settled) return null;
  const names = new Names();
  const input = names.state('Input');
  const result = names.state('Result');
  const finished = names.state('Finished');
  const isRepeated = settled.edges.some(({ to }) => to === settled.start);
  const stateOf = new Map(
    [...settled.nodes.values()].map(({ id, title }) => [id, id === settled.start && !isRepeated ? input : names.state(title)]),
  );
  stateOf.set(endOfFlow, finished);
  const nodes: DocumentNode[] = [];
  const steps: DataStep[] = [];
  const schemas = new Map<string, JsonSchema>();
  const inner = new Map<string, FlowDocument>();
  const add = (node: DocumentNode, step?: DataStep) => {
    nodes.push(node);
    if (step) steps.push(step);
  };
  const pass = (from: string, to: string, title: string) => add({ kind: 'work', title, from, to }, { from: [from], to: [to], adds: {} });
  const first = stateOf.get(settled.start) ?? finished;
  if (first !== input) pass(input, first, 'Begin');
  const needsData = needsDataAfter(settled, graph);
  const targets = targetsOf(settled, stateOf, names, add);
  const ends = settled.edges.filter(({ to }) => to === endOfFlow);
  let last = { state: finished, run: `(data) => (${graph.result})` };
  const finish = (state: string, fields: string) => {
    last = { state, run: `(answer) => { const data = { ${fields} }; return (${graph.result}); }` };
  };
  let complete = true;
  for (const node of settled.nodes.values()) {
    const compileInner = (innerGraph: ForeignGraph, key: string) => {
      const path = fileName(key);
      const compiled = compileGraph(innerGraph, fileName, report);
      if (!compiled) complete = false;
      else for (const [at, document] of [[path, compiled.document] as const, ...compiled.inner]) inner.set(at, document);
      return path;
    };
    emitNode(node, {
      state: stateOf.get(node.id) ?? finished,
      next: (output) => targets(node.id, output),
      names,
      add,
      pass,
      schemas,
      needsData,
      finish: ends.length === 1 && ends[0]?.from === node.id ? finish : undefined,
      compileInner,
    });
  }
  if (!complete) return null;
  add({ kind: 'work', title: 'Result', from: last.state, to: result, run: last.run });
  const required = new Set(graph.required);
  const fields = fieldsByState(
    input,
    new Map(Object.entries(graph.input).map(([key, schema]) => [key, { schema, required: required.has(key) }])),
    steps,
  );
  const large = Math.max(...[...fields.values()].map(({ size }) => size)) > mostFields;
  for (const [state, known] of fields)
    if (!schemas.has(state)) schemas.set(state, large && state !== input ? { type: 'object' } : schemaOf(known));
  schemas.set(result, graph.resultSchema);
  const document: FlowDocument = {
    pravah: 1,
    name: graph.name,
    ...(graph.description && { description: graph.description }),
    input,
    output: result,
    schemas: Object.fromEntries(schemas),
    nodes,
  };
  return { document, inner };
}
