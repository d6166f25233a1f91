import type { AnyNode, BlockStatement, Expression, FunctionDeclaration, Statement, VariableDeclarator } from 'acorn';
import type { ForeignGraph } from '#shared/import/foreign-graph.ts';
import type { ReportForeign } from '#shared/import/foreign-problem.ts';
import { agentRun, runCall } from './agent-run.ts';
import { GraphWriter } from './graph-writer.ts';
import { literalValue } from './literal.ts';
import { contains, isFunction, lineOf, type ModuleSource, namesIn, textOf, unexported } from './module-source.ts';
import { CodeReader, changeOf, expressionOver, type PlainCode } from './plain-code.ts';
import type { Declarations } from './read-agents.ts';

/** The function of the module that runs the workflow, without what only wraps it (`withTrace`). */
export interface WorkflowFunction {
  readonly name: string;
  readonly body: BlockStatement;
}

export function findWorkflow(module: ModuleSource, { others }: Declarations): WorkflowFunction | null {
  const tops = module.program.body.map(unexported).filter((statement) => statement !== null);
  const named = others.get('runWorkflow')?.node;
  const body = (named && bodyOf(named)) ?? tops.map(bodyOf).find((each) => each && contains(each, (node) => runCall(node) !== null));
  return body ? unwrapped(body, 'Workflow') : null;
}

function bodyOf(node: AnyNode): BlockStatement | null {
  if (node.type === 'VariableDeclaration') return node.declarations[0] ? bodyOf(node.declarations[0]) : null;
  const made = node.type === 'VariableDeclarator' ? node.init : node;
  return made && isFunction(made) && 'body' in made && (made as FunctionDeclaration).body.type === 'BlockStatement'
    ? (made as FunctionDeclaration).body
    : null;
}

/** `return await withTrace("Name", async () => { … })` is its function, and its name. */
function unwrapped(body: BlockStatement, name: string): WorkflowFunction {
  for (const statement of body.body) {
    const returned = statement.type === 'ReturnStatement' ? statement.argument : null;
    const call = returned?.type === 'AwaitExpression' ? returned.argument : returned;
    if (call?.type !== 'CallExpression' || call.callee.type !== 'Identifier' || call.callee.name !== 'withTrace') continue;
    const [title, inner] = call.arguments;
    const innerBody = inner ? bodyOf(inner) : null;
    const given = literalValue(title);
    if (innerBody) return { name: typeof given === 'string' ? given : name, body: innerBody };
  }
  return { name, body };
}

/** Follows the statements of the workflow: runs of agents, branches and loops become nodes, and the code between them stays code. */
export function readWorkflow(
  workflow: WorkflowFunction,
  module: ModuleSource,
  declarations: Declarations,
  report: ReportForeign,
): ForeignGraph {
  const writer = new GraphWriter(['input_as_text', 'result', 'workflow', ...declarations.others.keys()]);
  const start = writer.add('Start', {
    kind: 'change',
    code: '({ ...data, workflow: { input_as_text: data.input_as_text } })',
    keys: { workflow: true },
  });
  new WorkflowReader(module, declarations, writer, report).read(workflow.body.body);
  writer.finish();
  return {
    name: workflow.name,
    input: { input_as_text: { type: 'string' } },
    required: ['input_as_text'],
    start,
    nodes: writer.nodes,
    edges: writer.edges,
    result: 'data.result ?? null',
    resultSchema: true,
  };
}

class WorkflowReader {
  readonly #module: ModuleSource;
  readonly #declarations: Declarations;
  readonly #writer: GraphWriter;
  readonly #report: ReportForeign;
  readonly #code: CodeReader;
  /** Statements that are not written yet, and what they declare. */
  #pending: PlainCode[] = [];
  #declared: string[] = [];

  constructor(module: ModuleSource, declarations: Declarations, writer: GraphWriter, report: ReportForeign) {
    this.#module = module;
    this.#declarations = declarations;
    this.#writer = writer;
    this.#report = report;
    this.#code = new CodeReader(module, declarations);
  }

  read(statements: readonly Statement[]): void {
    for (const statement of statements) this.#statement(statement);
    this.#flush();
  }

  #statement(statement: Statement): void {
    if (statement.type === 'VariableDeclaration') for (const each of statement.declarations) this.#declaration(each, statement.kind);
    else if (statement.type === 'BlockStatement') for (const each of statement.body) this.#statement(each);
    else if (statement.type === 'ReturnStatement') this.#return(statement.argument ?? null);
    else if (statement.type === 'IfStatement' && this.#isFlow(statement))
      this.#if(statement.test, statement.consequent, statement.alternate ?? null);
    else if (statement.type === 'WhileStatement' && this.#isFlow(statement)) this.#while(statement.test, statement.body);
    else if (statement.type === 'ExpressionStatement' && this.#run(statement.expression, null)) return;
    else this.#plain(statement, []);
  }

  /** Whether a statement runs an agent, asks, or returns: then it cannot stay code. */
  #isFlow(statement: Statement): boolean {
    return contains(
      statement,
      (node) => node.type === 'ReturnStatement' || node.type === 'AwaitExpression' || this.#approval(node) !== null,
    );
  }

  #declaration(declared: VariableDeclarator, kind: string): void {
    const names = namesIn(declared.id);
    if (!declared.init) {
      this.#code.declare(names);
      return;
    }
    const { init } = declared;
    // The runner itself carries nothing.
    if (init.type === 'NewExpression' && init.callee.type === 'Identifier' && init.callee.name === 'Runner') return;
    if (this.#run(init, names[0] ?? null)) {
      this.#code.declare(names);
      return;
    }
    const message = this.#approval(init);
    if (message) {
      this.#ask(message, names[0] ?? 'approved');
      return;
    }
    this.#plain(declared, names, kind === 'const' ? 'let' : kind);
    this.#code.declare(names);
  }

  #run(expression: Expression, into: string | null): boolean {
    const call = runCall(expression);
    if (!call) return false;
    const run = agentRun(call, this.#declarations, this.#writer, this.#code);
    if ('missing' in run) {
      this.#placeholder(expression, run.missing);
      return true;
    }
    this.#pending.push(...run.prepare);
    this.#declared.push(...run.prepared);
    this.#flush(`Prepare ${run.title}`);
    this.#code.declare([run.key, ...run.prepared]);
    this.#writer.add(run.title, run.does, run.key);
    if (into === null) return true;
    const item = `{ rawItem: { role: 'assistant', content: [{ type: 'output_text', text: typeof ${run.key} === 'string' ? ${run.key} : JSON.stringify(${run.key}) }] } }`;
    this.#pending.push({ source: `let ${into} = { finalOutput: ${run.key}, newItems: [${item}] };`, before: [], variables: [run.key] });
    this.#declared.push(into);
    return true;
  }

  /** The message of `approvalRequest(message)`: the exported module leaves open how a person is asked. */
  #approval(node: AnyNode): AnyNode | null {
    const call = node.type === 'AwaitExpression' ? node.argument : node;
    if (call.type !== 'CallExpression' || call.callee.type !== 'Identifier') return null;
    return /^(approvalRequest|requestApproval|userApproval)$/.test(call.callee.name) ? (call.arguments[0] ?? call) : null;
  }

  #ask(message: AnyNode, name: string): void {
    const read = this.#code.read(message);
    const text = literalValue(message);
    if (!('missing' in read)) {
      const question = this.#writer.key(`${name} question`);
      this.#pending.push({ ...read, source: `let ${question} = ${read.source};` });
      this.#declared.push(question);
    }
    this.#flush();
    const description = typeof text === 'string' ? text : 'Approve?';
    this.#writer.add('Approval', { kind: 'ask', schema: { type: 'boolean', description } }, name);
    this.#code.declare([name]);
  }

  #return(argument: Expression | null): void {
    if (argument && runCall(argument)) {
      this.#run(argument, 'returned');
      this.#code.declare(['returned']);
      this.#pending.push({ source: 'let result = returned.finalOutput;', before: [], variables: ['returned'] });
      this.#declared.push('result');
    } else if (argument) {
      const read = this.#code.read(argument);
      if ('missing' in read) {
        this.#placeholder(argument, read.missing);
        return;
      }
      this.#pending.push({ ...read, source: `let result = ${read.source};` });
      this.#declared.push('result');
    }
    this.#flush('Return');
    this.#writer.finish();
  }

  #if(test: Expression, consequent: Statement, alternate: Statement | null): void {
    const choice = this.#choice(test, 'then', 'else');
    if (choice === null) return;
    this.#writer.ends = [{ from: choice, output: 'then' }];
    this.read([consequent]);
    const after = this.#writer.ends;
    this.#writer.ends = [{ from: choice, output: 'else' }];
    if (alternate) this.read([alternate]);
    this.#writer.ends = [...after, ...this.#writer.ends];
  }

  #while(test: Expression, body: Statement): void {
    const choice = this.#choice(test, 'again', 'done');
    if (choice === null) return;
    this.#writer.ends = [{ from: choice, output: 'again' }];
    this.read([body]);
    this.#writer.connectTo(choice);
    this.#writer.ends = [{ from: choice, output: 'done' }];
  }

  #choice(test: Expression, yes: string, no: string): string | null {
    const message = this.#approval(test);
    if (message) {
      const key = this.#writer.key('approved');
      this.#ask(message, key);
      return this.#writer.add('Approved?', { kind: 'choice', cases: [{ output: yes, when: `data.${key} === true` }], otherwise: no });
    }
    this.#flush();
    const read = this.#code.read(test);
    if ('missing' in read) {
      this.#placeholder(test, read.missing);
      return null;
    }
    const title = textOf(this.#module, test).replace(/\s+/g, ' ');
    return this.#writer.add(title.length > 60 ? `${title.slice(0, 57)}…` : title, {
      kind: 'choice',
      cases: [{ output: yes, when: `Boolean(${expressionOver(read)})` }],
      otherwise: no,
    });
  }

  #plain(node: AnyNode, names: readonly string[], keyword?: string): void {
    const read = this.#code.read(node, new Set(names.length > 0 ? [] : undefined));
    const local = 'missing' in read ? this.#code.read(node) : read;
    if ('missing' in local) {
      this.#placeholder(node, local.missing);
      return;
    }
    this.#pending.push(keyword === undefined ? local : { ...local, source: `${keyword} ${local.source};` });
    this.#declared.push(...names);
  }

  #placeholder(node: AnyNode, missing: string): void {
    this.#flush();
    const line = lineOf(node);
    const message = `Line ${line} of the exported code is not carried over, because of “${missing}”. Replace this node.`;
    this.#report('import_placeholder', line, message);
    const source = textOf(this.#module, node);
    const key = node.type === 'VariableDeclarator' ? namesIn(node.id)[0] : undefined;
    this.#writer.add(`Line ${line}`, { kind: 'placeholder', message }, key, source.slice(0, 2000));
  }

  /** Writes the pending statements as one node. */
  #flush(given?: string): void {
    if (this.#pending.length === 0) return;
    const declared = [...new Set(this.#declared)];
    const title = given ?? (declared.length > 0 ? `Set ${declared.at(-1)}` : 'Code');
    const keys = Object.fromEntries(declared.map((name) => [name, true as const]));
    this.#writer.add(title, { kind: 'change', code: changeOf(this.#pending, declared), keys });
    this.#code.declare(declared);
    this.#pending = [];
    this.#declared = [];
  }
}
