import type { EvaluateBody, NodeShape, PerformNode } from '#main/engine/step/node-plan.ts';
import type { GraphNodeKind } from '#shared/flow/document.ts';
import { agentPerformer } from './agent.ts';
import { eachPerformer } from './each.ts';
import { eitherPerformer } from './either.ts';
import { forkPerformer } from './fork.ts';
import { joinPerformer } from './join.ts';
import { suspendPerformer } from './suspend.ts';
import { workPerformer } from './work.ts';

/** Makes the function that runs a node from its body; null for a node without one. */
type MakeBodyPerformer = (shape: NodeShape, evaluate: EvaluateBody | null) => PerformNode;

/** How each kind of node runs. */
export const performers: Readonly<Record<GraphNodeKind, MakeBodyPerformer>> = {
  work: workPerformer,
  either: eitherPerformer,
  fork: forkPerformer,
  join: joinPerformer,
  agent: agentPerformer,
  suspend: suspendPerformer,
  each: eachPerformer,
};
