import type { Draft } from '#main/engine/draft.ts';
import { loadAtNeed } from '#main/engine/load-at-need.ts';
import type { EvaluateBody, NodeShape, PerformNode } from '#main/engine/node-plan.ts';
import { eachPerformer } from '#main/engine/nodes/each.ts';
import { eitherPerformer } from '#main/engine/nodes/either.ts';
import { forkPerformer } from '#main/engine/nodes/fork.ts';
import { joinPerformer } from '#main/engine/nodes/join.ts';
import { suspendPerformer } from '#main/engine/nodes/suspend.ts';
import { workPerformer } from '#main/engine/nodes/work.ts';
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
