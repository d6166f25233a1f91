import type { Draft } from '#main/engine/draft.ts';
import { loadAtNeed } from '#main/engine/load-at-need.ts';
import type { EvaluateBody, NodeShape, PerformNode } from '#main/engine/node-plan.ts';
import type { GraphNodeKind } from '#shared/flow/graph.ts';
import { eachPerformer } from './each.ts';
import { eitherPerformer } from './either.ts';
import { forkPerformer } from './fork.ts';
import { joinPerformer } from './join.ts';
import { suspendPerformer } from './suspend.ts';
import { workPerformer } from './work.ts';

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
