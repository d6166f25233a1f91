import { capitalized, nodeLabel } from '#shared/flow/checks/node-label.ts';
import { listed } from '#shared/flow/checks/report.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import type { Problem, TraceStep } from '#shared/flow/problem.ts';
import { type Exploration, explore, maxMarkings } from './explore.ts';
import { exploreReduced } from './explore-reduced.ts';
import { reduce } from './reduce.ts';
import { type Firing, type WorkflowNet, workflowNet } from './workflow-net.ts';

/** Result of the soundness proof. `unknown`: the flow does not reduce to a single node and has too many markings to explore. */
export interface Soundness {
  readonly status: 'sound' | 'unsound' | 'unknown';
  /** A shortest run that shows that the flow is unsound; empty if none is known. */
  readonly trace: readonly TraceStep[];
  /** One warning with a trace for each violated property, and one for each dead node. */
  readonly problems: readonly Problem[];
}

/**
 * Decides, without running anything, whether the output can be reached from every reachable marking, whether nothing is left over then, whether no
 * state is produced twice, and whether every node can fire. Reduction proves most sound flows in near linear time. Flows that do not reduce are
 * explored marking by marking: first the flow itself, up to `limit` markings, then its reduced form.
 */
export function analyse(graph: FlowGraph, limit: number = maxMarkings): Soundness {
  const net = workflowNet(graph);
  const inner = graph.nodes.flatMap((node) => (node.body.type === 'each' ? innerProblems(node.id, node.path, node.body.flow) : []));
  const reduced = reduce(net);
  if (reduced.done) return inner.length === 0 ? sound : unsound(inner);
  const whole = explore(net, limit);
  const exploration = whole.complete ? whole : exploreReduced(net, reduced, whole);
  const problems = [...problemsOf(net, exploration), ...inner];
  if (problems.length > 0) return unsound(problems);
  return exploration.complete ? sound : { status: 'unknown', trace: [], problems: [] };
}

const sound: Soundness = { status: 'sound', trace: [], problems: [] };

function unsound(problems: readonly Problem[]): Soundness {
  return { status: 'unsound', trace: problems.find((problem) => problem.trace?.length)?.trace ?? [], problems };
}

/** Problems of the flow in an `each` node that are reported outside: a few files can have any number. */
const maxProblemsInside = 20;

/** The flow in an `each` node is a run of its own: its problems are reported at the node, with the names used in its events. */
function innerProblems(id: string, path: string, graph: FlowGraph): Problem[] {
  return analyse(graph)
    .problems.slice(0, maxProblemsInside)
    .map((problem) => ({
      ...problem,
      path,
      nodes: problem.nodes.map((node) => `${id}::${node}`),
      message: `In the flow of ${id}: ${problem.message}`,
      trace: problem.trace?.map((step) => ({ ...step, node: `${id}::${step.node}` })),
    }));
}

function problemsOf(net: WorkflowNet, { complete, deadlock, improper, collision, fires, stuck }: Exploration): Problem[] {
  const problems: Problem[] = [];
  const add = (code: Problem['code'], nodes: readonly string[], path: string, message: string, run: readonly Firing[], shortest = true) => {
    const trace = traceOf(net, run);
    const problem: Problem = { code, severity: 'warning', message, nodes: [...nodes], path, trace, ...(!shortest && { shortest }) };
    problems.push(problem);
  };
  const output = net.places[net.output];
  if (deadlock) {
    const waiting = consumersOf(net, deadlock.waiting);
    const states = namesOf(net, deadlock.waiting);
    const message = `The flow can get stuck: when only ${states} ${deadlock.waiting.length === 1 ? 'is' : 'are'} left, ${output} cannot be reached. Add a path from there to ${output}.`;
    add('deadlock_possible', waiting.ids, waiting.path, message, deadlock.run, deadlock.shortest);
  }
  if (improper) {
    const waiting = consumersOf(net, improper.waiting);
    const states = namesOf(net, improper.waiting);
    add(
      'improper_completion',
      waiting.ids,
      waiting.path,
      `The flow can finish while ${states} ${improper.waiting.length === 1 ? 'is' : 'are'} unused. Join ${improper.waiting.length > 6 ? 'them' : states} before the end.`,
      improper.run,
      improper.shortest,
    );
  }
  if (collision) {
    const last = net.nodes[collision.run.at(-1)?.node ?? -1];
    const state = net.places[collision.waiting[0] as number];
    add(
      'state_collision',
      last ? [last.id] : [],
      last?.path ?? '',
      `${last ? capitalized(nodeLabel(last)) : 'A node'} can produce ${state} while another ${state} is waiting, which fails the run. Join the branches earlier, or rename one of the states.`,
      collision.run,
      collision.shortest,
    );
  }
  // An incomplete exploration cannot prove that a node never fires.
  for (const [index, node] of complete ? net.nodes.entries() : []) {
    if (fires[index] === 1) continue;
    const run = (net.pre[index] ?? []).map((place) => stuck.get(place)).find((each) => each !== undefined) ?? [];
    const why = node.kind === 'join' ? `${listed(node.from)} never exist at the same time` : `no run produces ${node.from[0]}`;
    add(
      'dead_node',
      [node.id],
      node.path,
      `${capitalized(nodeLabel(node))} can never run: ${why}. Fix the nodes that lead to it, or remove it.`,
      run,
    );
  }
  return problems;
}

/** Lists states in a sentence; if there are many, only the first few. */
function namesOf(net: WorkflowNet, places: readonly number[]): string {
  const names = places.map((place) => net.places[place] as string);
  return listed(names.length > 6 ? [...names.slice(0, 5), `${names.length - 5} more`] : names);
}

/** The nodes that would consume some places, and the path of the first one. */
function consumersOf(net: WorkflowNet, places: readonly number[]): { ids: string[]; path: string } {
  const nodes = [...new Set(places.map((place) => net.consumer[place] as number))].flatMap((index) => net.nodes[index] ?? []);
  return { ids: nodes.map((node) => node.id), path: nodes[0]?.path ?? '/output' };
}

function traceOf(net: WorkflowNet, run: readonly Firing[]): TraceStep[] {
  return run.map(({ node, transition }) => {
    const { id, kind, to } = net.nodes[node] as WorkflowNet['nodes'][number];
    return kind === 'either' ? { node: id, branch: to[transition] as string } : { node: id };
  });
}
