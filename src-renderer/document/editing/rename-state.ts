import type { ReadableFlow } from '#renderer/document/graph/readable-flow.ts';
import { type EditPlan, refuse } from './edit-plan.ts';
import { stateNames, whyNotAStateName } from './states.ts';
import { texts } from './texts.ts';

/** Plans renaming a state everywhere: schemas, nodes, flow input and output. Does not change code that uses the name. */
export function renameState(flow: ReadableFlow, from: string, to: string): EditPlan {
  const why = whyNotAStateName(to);
  if (why) return refuse(why);
  if (from === to) return refuse(texts.rename.sameName(to));
  if (stateNames(flow).has(to)) return refuse(texts.rename.taken(to));
  return { ok: true, label: texts.rename.label(from, to), edits: [{ type: 'rename_state', from, to }] };
}
