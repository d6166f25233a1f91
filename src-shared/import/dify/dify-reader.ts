import type { ForeignEdge, ForeignFile, ForeignNode, ForeignReading } from '#shared/import/foreign-graph.ts';
import type { ReportForeign } from '#shared/import/foreign-problem.ts';
import { valueAt } from '#shared/import/js-text.ts';
import { listAt, objectAt, objectsAt, textAt } from '#shared/import/json-fields.ts';
import { Names } from '#shared/import/names.ts';
import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '#shared/json.ts';
import { conditionsCode } from './conditions.ts';
import { reportNodeSettings } from './left-out-settings.ts';
import { nodeReaders } from './node-readers.ts';
import { outputPath } from './output-path.ts';
import { Selectors } from './selectors.ts';

/** A node of a Dify workflow while it is read. */
export interface DifyNode {
  readonly id: string;
  readonly type: string;
  readonly title: string;
  readonly note?: string;
  readonly key: string;
  readonly data: JsonObject;
  /** Path of its data in the file. */
  readonly at: readonly (string | number)[];
  /** The iteration or loop that it is part of. */
  readonly parent: string | null;
}

/** What the readers of nodes write to. */
export interface DifyContext {
  readonly selectors: Selectors;
  readonly names: Names;
  readonly report: ReportForeign;
  readonly isChat: boolean;
  readonly node: (node: ForeignNode) => void;
  readonly edge: (edge: ForeignEdge) => void;
  readonly file: (file: ForeignFile) => void;
  /** Makes what follows the node follow another one instead, which is added for it. */
  readonly continueFrom: (node: DifyNode, id: string) => void;
  readonly reader: DifyReader;
}

/** The output that an edge for failures begins at. */
const afterFailure = 'fail-branch';

const inputTypes: Readonly<Record<string, JsonSchema>> = {
  number: { type: 'number' },
  checkbox: { type: 'boolean' },
  'file-list': { type: 'array' },
  file: true,
  json_object: { type: 'object' },
};

/** Reads the workflow of a Dify app. */
export class DifyReader {
  readonly #name: string;
  readonly #isChat: boolean;
  readonly #workflow: JsonObject;
  readonly #report: ReportForeign;
  readonly #names = new Names(['item', 'index', 'env', 'conversation', 'query']);
  readonly #selectors = new Selectors();
  readonly #files: ForeignFile[] = [];
  #all: readonly DifyNode[] = [];
  #edges: readonly ForeignEdge[] = [];

  constructor(name: string, isChat: boolean, workflow: JsonObject, report: ReportForeign) {
    this.#name = name;
    this.#isChat = isChat;
    this.#workflow = workflow;
    this.#report = report;
  }

  read(description: string, nodes: readonly Json[], edges: readonly JsonObject[]): ForeignReading {
    const start = nodes.find((node) => textAt(objectAt(node, 'data'), 'type') === 'start') as JsonObject;
    const fields = objectsAt(objectAt(start, 'data'), 'variables');
    const inputs = new Names(['item', 'index', 'env', 'conversation']);
    const inputNames = new Map(fields.map((field) => [textAt(field, 'variable'), inputs.field(textAt(field, 'variable'))]));
    const query = this.#isChat ? inputs.field('query') : null;
    for (const name of inputNames.values()) this.#names.field(name);
    this.#all = nodes.flatMap((node, index) => this.#nodeOf(node, index));
    this.#edges = edges.map((edge) => ({ from: textAt(edge, 'source'), output: this.#output(edge), to: textAt(edge, 'target') }));
    this.#selectors.place(textAt(start, 'id'), ([field = '', ...rest]) => [inputNames.get(field) ?? field, ...rest]);
    this.#selectors.place('sys', ([field = '', ...rest]) => (field === 'query' && query !== null ? [query] : ['sys', field, ...rest]));
    for (const name of ['env', 'conversation']) this.#selectors.place(name, (path) => [name, ...path]);
    for (const variable of objectsAt(this.#workflow, 'environment_variables'))
      if (textAt(variable, 'value_type') === 'secret') this.#selectors.secrets.add(textAt(variable, 'name'));
    for (const node of this.#all) {
      if (node.type !== 'start') this.#selectors.place(node.id, outputPath(node));
      reportNodeSettings(node, this.#report);
      if (this.#edges.some(({ from, output }) => from === node.id && output === afterFailure))
        this.#report(
          'import_departs',
          node.at,
          `What follows a failure of “${node.title}” is left out: a failed step stops the run, and can be retried.`,
        );
    }
    const { nodes: made, edges: led } = this.subgraph(null);
    const first: ForeignNode = {
      id: '$begin',
      title: 'Start',
      key: '_start',
      does: { kind: 'change', code: this.#defaults(fields, inputNames), keys: this.#constants() },
    };
    const input = Object.fromEntries(fields.map((field) => [inputNames.get(textAt(field, 'variable')) ?? '', inputSchema(field)]));
    if (query !== null) {
      input[query] = { type: 'string' };
      this.#report(
        'import_departs',
        ['app', 'mode'],
        'Each run is one question and its answer: earlier messages of a chat are not sent, and conversation variables start with their defaults.',
      );
    }
    const ends = this.#all.filter(({ type }) => type === (this.#isChat ? 'answer' : 'end')).map(({ key }) => valueAt([key]));
    return {
      files: this.#files,
      graph: {
        name: this.#name,
        ...(description && { description }),
        input,
        required: [
          ...fields.filter(({ required }) => required === true).map((field) => inputNames.get(textAt(field, 'variable')) ?? ''),
          ...(query === null ? [] : [query]),
        ],
        start: '$begin',
        nodes: [first, ...made],
        edges: [{ from: '$begin', output: '', to: textAt(start, 'id') }, ...led],
        result: this.#isChat
          ? `({ answer: [${ends.join(', ')}].filter((each) => each !== undefined).join('\\n') })`
          : `Object.assign({}, ${ends.join(', ')})`,
        resultSchema: this.#isChat
          ? { type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'] }
          : { type: 'object' },
      },
    };
  }

  /** The nodes within an iteration or a loop, or at the top (null), with their edges. */
  subgraph(parent: string | null): { nodes: ForeignNode[]; edges: ForeignEdge[] } {
    const nodes: ForeignNode[] = [];
    const own = this.#all.filter((node) => node.parent === parent);
    const ids = new Set(own.map(({ id }) => id));
    let edges = this.#edges.filter(({ from, to, output }) => ids.has(from) && ids.has(to) && output !== afterFailure);
    const context: DifyContext = {
      selectors: this.#selectors,
      names: this.#names,
      report: this.#report,
      isChat: this.#isChat,
      reader: this,
      node: (node) => nodes.push(node),
      edge: (edge) => {
        edges.push(edge);
      },
      file: (file) => this.#files.push(file),
      continueFrom: (node, id) => {
        edges = edges.map((edge) => (edge.from === node.id ? { ...edge, from: id } : edge));
        edges.push({ from: node.id, output: '', to: id });
      },
    };
    for (const node of own) this.#readNode(node, context);
    return { nodes, edges };
  }

  /** The nodes of an iteration or a loop. */
  children(parent: string): readonly DifyNode[] {
    return this.#all.filter((node) => node.parent === parent);
  }

  #readNode(node: DifyNode, context: DifyContext): void {
    const read = nodeReaders[node.type];
    if (read) {
      read(node, context);
      return;
    }
    const what = `“${node.title}” (${node.type}) is not supported. Replace this node.`;
    this.#report('import_placeholder', node.at, what);
    context.node({
      id: node.id,
      title: node.title,
      key: node.key,
      does: { kind: 'placeholder', message: what },
      ...(node.note && { note: node.note }),
    });
  }

  #nodeOf(node: Json, index: number): DifyNode[] {
    const data = objectAt(node, 'data');
    const id = textAt(node, 'id');
    const type = textAt(data, 'type');
    if (!isJsonObject(node) || id === '' || type === '' || node.type === 'custom-note') return [];
    const title = textAt(data, 'title') || type;
    const parent = textAt(node, 'parentId') || textAt(data, 'iteration_id') || textAt(data, 'loop_id') || null;
    const note = textAt(data, 'desc');
    return [
      {
        id,
        type,
        title,
        data,
        parent,
        key: this.#names.field(title),
        at: ['workflow', 'graph', 'nodes', index, 'data'],
        ...(note && { note }),
      },
    ];
  }

  /** Which output of its source an edge begins at: of a choice its branch, of any other node the one (`source`) or the one for errors. */
  #output(edge: JsonObject): string {
    const handle = textAt(edge, 'sourceHandle');
    const source = this.#all.find(({ id }) => id === edge.source);
    if (handle === afterFailure) return handle;
    return source && ['if-else', 'question-classifier', 'human-input'].includes(source.type) ? handle : '';
  }

  /** Inputs that were not given get what Dify gives them, and variables of the app get their values. */
  #defaults(fields: readonly JsonObject[], names: ReadonlyMap<string, string>): string {
    const values: Record<string, Json> = {};
    for (const field of fields)
      if (field.required !== true && (field.default !== undefined || inputTypes[textAt(field, 'type')] === undefined))
        values[names.get(textAt(field, 'variable')) ?? ''] = field.default ?? '';
    const constants: Record<string, Json> = {};
    const variables = (key: string) =>
      Object.fromEntries(
        objectsAt(this.#workflow, key)
          .filter((each) => textAt(each, 'value_type') !== 'secret')
          .map((each) => [textAt(each, 'name'), each.value ?? null]),
      );
    for (const [key, from] of [
      ['env', 'environment_variables'],
      ['conversation', 'conversation_variables'],
    ] as const)
      if (listAt(this.#workflow, from).length > 0) constants[key] = variables(from);
    if (JSON.stringify(this.#workflow).includes('sys.') || JSON.stringify(this.#workflow).includes('"sys"'))
      constants.sys = { files: [], user_id: '', conversation_id: '', dialogue_count: 0, app_id: '', workflow_id: '', workflow_run_id: '' };
    return `({ ...${JSON.stringify(values)}, ...data, ...${JSON.stringify(constants)} })`;
  }

  #constants(): Record<string, JsonSchema> {
    return Object.fromEntries(
      [
        ['env', 'environment_variables'],
        ['conversation', 'conversation_variables'],
      ]
        .filter(([, from]) => listAt(this.#workflow, from as string).length > 0)
        .map(([key]) => [key as string, { type: 'object' } as const]),
    );
  }

  /** Code of a loop's conditions. */
  conditions(list: readonly JsonObject[], operator: string, node: DifyNode): string {
    return conditionsCode(list, operator, this.#selectors, (unknown) =>
      this.#report(
        'import_departs',
        node.at,
        `“${node.title}” compares by “${unknown}”, which is not supported: this condition never holds here.`,
      ),
    );
  }
}

function inputSchema(field: JsonObject): JsonSchema {
  const type = inputTypes[textAt(field, 'type')];
  if (type !== undefined) return type;
  const options = listAt(field, 'options');
  const label = textAt(field, 'label');
  return { type: 'string', ...(label && { description: label }), ...(options.length > 0 && field.required === true && { enum: options }) };
}
