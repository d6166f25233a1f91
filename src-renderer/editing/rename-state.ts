import type { ReadableFlow } from '#renderer/graph/readable-flow.ts';
import { type EditPlan, refuse } from './edit-plan.ts';
import { stateNames, whyNotAStateName } from './states.ts';

/** Plans a state's new name, everywhere: schemas, nodes, entry and result. Code that names it is the user's to change. */
export function renameState(flow: ReadableFlow, from: string, to: string): EditPlan {
  const why = whyNotAStateName(to);
  if (why) return refuse(why);
  if (from === to) return refuse(`It is called ${to} already.`);
  if (stateNames(flow).has(to)) return refuse(`There is a state called ${to} already. To connect the two, draw a wire.`);
  return { ok: true, label: `Rename ${from} to ${to}`, edits: [{ type: 'rename_state', from, to }] };
}
