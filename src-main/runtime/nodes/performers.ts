import type { Draft } from '#main/runtime/draft.ts';
import { loadAtNeed } from '#main/runtime/load-at-need.ts';
import type { EvaluateBody, NodeShape, PerformNode } from '#main/runtime/node-plan.ts';
import { eachPerformer } from '#main/runtime/nodes/each.ts';
import { eitherPerformer } from '#main/runtime/nodes/either.ts';
import { forkPerformer } from '#main/runtime/nodes/fork.ts';
import { joinPerformer } from '#main/runtime/nodes/join.ts';
import { suspendPerformer } from '#main/runtime/nodes/suspend.ts';
import { workPerformer } from '#main/runtime/nodes/work.ts';
import type { GraphNodeKind } from '#shared/flow/graph.ts';

/** Makes the function that runs a node. `evaluate` is null for a node without a body. */
export type MakePerformer = (shape: NodeShape, evaluate: EvaluateBody | null) => PerformNode;

const agentPerformer = loadAtNeed<NodeShape, Draft>(async () => (await import('#main/agents/agent-node.ts')).agentPerformer);

/** How each kind of node runs. */
export const performers: Readonly<Record<GraphNodeKind, MakePerformer>> = {
  work: workPerformer,
  either: eitherPerformer,
  fork: forkPerformer,
  join: joinPerformer,
  agent: agentPerformer,
  suspend: suspendPerformer,
  each: eachPerformer,
};
