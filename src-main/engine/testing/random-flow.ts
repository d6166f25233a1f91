import { seededRandom } from '#main/engine/bodies/seeded-random.ts';
import type { FlowGraph, NodeBody } from '#shared/flow/graph.ts';
import { each, either, expr, flowOf, fork, join, type NodeSketch, pass, run, work } from './flows.ts';

/** How a piece of a flow leads from one state to another. */
type Block =
  | { readonly type: 'work'; readonly body: 'default' | 'expr' | 'run' }
  | { readonly type: 'suspend' }
  | { readonly type: 'agent' }
  | { readonly type: 'ask' }
  | { readonly type: 'sequence'; readonly blocks: readonly Block[] }
  | { readonly type: 'choice'; readonly left: Block; readonly right: Block }
  | { readonly type: 'loop'; readonly inner: Block }
  | { readonly type: 'parallel'; readonly branches: readonly Block[] }
  | { readonly type: 'each'; readonly inner: Block }
  | { readonly type: 'call'; readonly by: 'tool' | 'run' | 'agent'; readonly inner: Block };

const leaves: readonly Block[] = [
  { type: 'work', body: 'default' },
  { type: 'work', body: 'expr' },
  { type: 'work', body: 'expr' },
  { type: 'work', body: 'run' },
  { type: 'suspend' },
  { type: 'agent' },
  { type: 'ask' },
];

/** A block at most this many levels deep. */
function randomBlock(random: () => number, depth: number): Block {
  const inner = () => randomBlock(random, depth - 1);
  const some = () => Array.from({ length: 2 + Math.floor(random() * 2) }, inner);
  switch (depth === 0 ? 9 : Math.floor(random() * 10)) {
    case 0:
      return { type: 'sequence', blocks: some() };
    case 1:
      return { type: 'choice', left: inner(), right: inner() };
    case 2:
      return { type: 'loop', inner: inner() };
    case 3:
      return { type: 'parallel', branches: some() };
    case 4:
      return { type: 'each', inner: inner() };
    case 5:
      return { type: 'call', by: 'tool', inner: inner() };
    case 6:
      return { type: 'call', by: 'run', inner: inner() };
    case 7:
      return { type: 'call', by: 'agent', inner: inner() };
    default:
      return leaves[Math.floor(random() * leaves.length)] as Block;
  }
}

/** Sound flows of every kind of node, with loops, forks, lists, agents, questions and flows as tools inside each other. Their values are `{n, path}`. */
export function soundFlow(seed: number): FlowGraph {
  return writtenFlow(randomBlock(seededRandom(seed), 3));
}

function writtenFlow(block: Block): FlowGraph {
  const writer = new FlowWriter();
  writer.write({ type: 'sequence', blocks: [{ type: 'work', body: 'expr' }, block] }, 'S0', 'Z');
  return flowOf(writer.nodes, { limits: { steps: 90 }, tools: writer.tools });
}

/** The model of every agent: it asks the user, then submits the same value each time. */
export const agentScript = {
  turns: Array.from({ length: 40 }, () => [
    {
      tool_calls: [
        { tool: 'ask_user', input: { question: 'one?' } },
        { tool: 'ask_user', input: { question: 'two?' } },
      ],
    },
    { text: 'Let me think.' },
    { output: { n: 4, path: ['agent'] } },
  ]).flat(),
};

const calledByAgents = 'flow:./called.flow.json';

/** The model of agents that call a flow: it calls it twice in one turn, then submits. */
export const callScript = {
  turns: Array.from({ length: 40 }, (_, n) => [
    {
      tool_calls: [
        { tool: calledByAgents, input: { n, path: ['first'] } },
        { tool: calledByAgents, input: { n: n + 1, path: ['second'] } },
      ],
    },
    { output: { n: n + 2, path: ['called'] } },
  ]).flat(),
};

const askBody = run(
  `async ({ n, path }, ctx) => ({ n: n + 1, path: [...path, await ctx.tools.ask_user({ question: 'which?' }), ctx.random() < 2] })`,
  'ask_user',
);
const bodies = {
  default: pass,
  expr: expr('{ n: n + 1, path: [...path, n] }'),
  run: run("({ n, path }) => ({ n: n * 2 + 1, path: [...path, 'run ' + n].slice(-6) })"),
};
const merge = run('(a, b) => ({ n: (a.n + b.n) % 1000, path: [...a.path, ...b.path].slice(-6) })');

const gather = run(
  '(items) => ({ n: items.reduce((sum, { n }) => sum + n, 1) % 1000, path: items.flatMap(({ path }) => path).slice(-6) })',
);

class FlowWriter {
  readonly nodes: NodeSketch[] = [];
  readonly tools: Record<string, FlowGraph> = {};
  #count = 0;

  write(block: Block, from: string, to: string): void {
    switch (block.type) {
      case 'work':
        this.nodes.push(work(from, to, bodies[block.body]));
        return;
      case 'ask':
        this.nodes.push(work(from, to, askBody));
        return;
      case 'suspend':
        this.nodes.push({ kind: 'suspend', from: [from], to: [to], body: { type: 'suspend' } });
        return;
      case 'agent': {
        const agent = { model: 'script://script.json', tools: ['ask_user'] };
        this.nodes.push({ kind: 'agent', from: [from], to: [to], body: { type: 'agent', agent } });
        return;
      }
      case 'sequence':
        block.blocks.reduce((at, inner, index) => {
          const next = index === block.blocks.length - 1 ? to : this.#name();
          this.write(inner, at, next);
          return next;
        }, from);
        return;
      case 'choice': {
        const [left, right] = [this.#name(), this.#name()];
        this.nodes.push(either(from, [left, right], expr('n % 2 == 0')));
        this.write(block.left, left, to);
        this.write(block.right, right, to);
        return;
      }
      case 'loop': {
        const [again, back] = [this.#name(), this.#name()];
        this.nodes.push(either(from, [to, again], expr('n % 3 == 0')));
        this.write(block.inner, again, back);
        this.nodes.push(work(back, from, expr('n + 1', 'n')));
        return;
      }
      case 'each': {
        const [list, results] = [this.#name(), this.#name()];
        this.nodes.push(work(from, list, expr('n % 5 == 0 ? [] : [input, { n: n + 1, path: path }]')));
        this.nodes.push(each(list, results, writtenFlow(block.inner)), work(results, to, gather));
        return;
      }
      case 'call': {
        if (block.by === 'agent') {
          const agent = { model: 'script://calls.json', tools: [calledByAgents] };
          this.tools[calledByAgents] ??= writtenFlow(block.inner);
          this.nodes.push({ kind: 'agent', from: [from], to: [to], body: { type: 'agent', agent } });
          return;
        }
        const tool = `flow:./${from}.flow.json`;
        this.tools[tool] = writtenFlow(block.inner);
        const templated: NodeBody = { type: 'tool', tool, with: { n: '{n}', path: '{path}' } };
        this.nodes.push(work(from, to, block.by === 'tool' ? templated : run(`(value, ctx) => ctx.tools['${tool}'](value)`, tool)));
        return;
      }
      case 'parallel': {
        const starts = block.branches.map(() => this.#name());
        const ends = block.branches.map(() => this.#name());
        this.nodes.push(fork(from, starts));
        for (const [index, branch] of block.branches.entries()) this.write(branch, starts[index] as string, ends[index] as string);
        ends.reduce((joined, end, index) => {
          const next = index === ends.length - 1 ? to : this.#name();
          this.nodes.push(join([joined, end], next, merge));
          return next;
        });
      }
    }
  }

  #name(): string {
    this.#count += 1;
    return `S${this.#count}`;
  }
}
