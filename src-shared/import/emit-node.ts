import type { JsonSchema } from '#shared/json.ts';
import type { Deed, ForeignGraph, ForeignNode } from './foreign-graph.ts';
import type { Names } from './names.ts';
import type { AddNode } from './targets.ts';

/** What a node of another tool becomes is written here. */
export interface Emission {
  /** The state that the node consumes. */
  readonly state: string;
  /** The state that an output leads to. */
  readonly next: (output: string) => string;
  readonly names: Names;
  readonly add: AddNode;
  /** Adds a node that passes `data` on. */
  readonly pass: (from: string, to: string, title: string) => void;
  /** Schemas of states that hold something other than `data`. */
  readonly schemas: Map<string, JsonSchema>;
  /** Whether what runs after the node reads anything of `data` but what the node sets. */
  readonly needsData: (node: ForeignNode) => boolean;
  /** Set for the only node that leads to the end: takes the state of its answer, and the fields that it sets, as code. */
  readonly finish?: ((answer: string, fields: string) => void) | undefined;
  /** Compiles a flow that is called, and gives its path. */
  readonly compileInner: (graph: ForeignGraph, key: string) => string;
}

/** Adds the nodes that do what one node of another tool does. */
export function emitNode(node: ForeignNode, emission: Emission): void {
  const { does, key } = node;
  const { state, next, names, add } = emission;
  const people = { title: node.title, ...(node.note && { note: node.note }) };
  switch (does.kind) {
    case 'pass':
      add({ kind: 'work', ...people, from: state, to: next('') }, { from: [state], to: [next('')], adds: {} });
      return;
    case 'code':
      add(
        { kind: 'work', ...people, from: state, to: next(''), run: storing(node, does.code) },
        { from: [state], to: [next('')], adds: added(node, does.schema) },
      );
      return;
    case 'change':
      add(
        { kind: 'work', ...people, from: state, to: next(''), run: bodyOf(does.code) },
        { from: [state], to: [next('')], adds: does.keys },
      );
      return;
    case 'tool':
      add(
        { kind: 'work', ...people, from: state, to: next(''), tool: does.tool, with: does.with, into: key },
        { from: [state], to: [next('')], adds: { [key]: does.schema } },
      );
      return;
    case 'placeholder': {
      const run = `() => { throw new Error(${JSON.stringify(does.message)}); }`;
      add({ kind: 'work', ...people, from: state, to: next(''), run }, { from: [state], to: [next('')], adds: { [key]: true } });
      return;
    }
    case 'choice':
      emitChoice(does, people, emission);
      return;
    case 'agent': {
      beside(node, emission, does.schema, (from, to) => add({ kind: 'agent', ...people, from, to, agent: does.agent }));
      return;
    }
    case 'ask': {
      beside(node, emission, does.schema, (from, to) => add({ kind: 'suspend', ...people, from, to }));
      return;
    }
    case 'each': {
      beside(node, emission, { type: 'array' }, (from, to) => {
        const list = names.state(`${state} items`);
        emission.schemas.set(list, { type: 'array' });
        const run = `(data) => (${does.list}).map((item, index) => ({ ...data, item, index }))`;
        add({ kind: 'work', title: `Items of ${node.title}`, from: from, to: list, run });
        add({ kind: 'each', ...people, from: list, to: to, flow: emission.compileInner(does.inner, key) });
      });
      return;
    }
  }
}

/** A body with the value of some code. A function that is called at once is the body itself. */
function bodyOf(code: string): string {
  const called = /^\(\(\) => \{\n([\s\S]*)\n\}\)\(\)$/.exec(code);
  return called ? `(data) => {\n${called[1]}\n}` : `(data) => (${code})`;
}

/** A body that stores the value of some code. */
function storing(node: ForeignNode, code: string): string {
  return node.store ? `(data) => { const result = ${code}; return ${entries(node, 'result')}; }` : `(data) => (${entries(node, code)})`;
}

/** Code of `data` with the fields that a node sets. */
function entries({ key, store }: ForeignNode, result: string): string {
  return `{ ...data, ${fieldEntries({ key, store }, result)} }`;
}

function fieldEntries({ key, store }: Pick<ForeignNode, 'key' | 'store'>, result: string): string {
  const fields = store?.(result) ?? { [key]: result };
  return Object.entries(fields)
    .map(([field, code]) => (field === code ? field : `${field}: ${code}`))
    .join(', ');
}

function added({ key, store }: ForeignNode, schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return store ? Object.fromEntries(Object.keys(store('')).map((field) => [field, true])) : { [key]: schema };
}

/**
 * Keeps `data` beside a node whose output is only its answer: a fork before it, and a join that stores the answer under the node's key. Where
 * nothing reads `data` any more, the answer alone is passed on.
 */
function beside(
  node: ForeignNode,
  { state, next, names, add, schemas, needsData, finish }: Emission,
  schema: JsonSchema,
  between: (from: string, to: string) => void,
): void {
  const { title } = node;
  const storesData = /\bdata\b/.test(fieldEntries(node, 'answer'));
  if (!storesData && !needsData(node)) {
    const answer = names.state(`${state} answer`);
    schemas.set(answer, schema);
    between(state, answer);
    if (finish) {
      finish(answer, fieldEntries(node, 'answer'));
      return;
    }
    const run = `(answer) => ({ ${fieldEntries(node, 'answer')} })`;
    add(
      { kind: 'work', title: `Store the answer of ${title}`, from: answer, to: next(''), run },
      { from: [], to: [next('')], adds: added(node, schema) },
    );
    return;
  }
  const kept = names.state(`${state} data`);
  const from = names.state(`${state} input`);
  const to = names.state(`${state} answer`);
  schemas.set(to, schema);
  add({ kind: 'fork', title: `Keep the data of ${title}`, from: state, to: [kept, from] }, { from: [state], to: [kept, from], adds: {} });
  between(from, to);
  const run = `(data, answer) => (${entries(node, 'answer')})`;
  add(
    { kind: 'join', title: `Store the answer of ${title}`, from: [kept, to], to: next(''), run },
    { from: [kept], to: [next('')], adds: added(node, schema) },
  );
}

/** An `either` for each case: its left way is the case's, its right way leads on to the next case. */
function emitChoice(
  does: Extract<Deed, { kind: 'choice' }>,
  people: { title: string; note?: string },
  { state, next, names, add, pass }: Emission,
): void {
  let from = state;
  if (does.cases.length === 0) {
    pass(from, next(does.otherwise), people.title);
    return;
  }
  for (const [index, { output, when }] of does.cases.entries()) {
    const left = next(output);
    const last = index === does.cases.length - 1;
    let right = last ? next(does.otherwise) : names.state(`${state} or ${index + 2}`);
    if (left === right) {
      right = names.state(`${state} else`);
      pass(right, left, 'Otherwise');
    }
    const run = `(data) => (${when}) ? { left: data } : { right: data }`;
    add({ kind: 'either', ...people, from, to: [left, right], run }, { from: [from], to: [left, right], adds: {} });
    from = right;
  }
}
