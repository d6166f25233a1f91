import type { Tool } from '#main/engine/ports/tool.ts';
import type { Step } from '#main/engine/step/step.ts';
import { conditionAsPython } from './condition.ts';
import { storageAsPyflow } from './storage.ts';
import { transformAsPyflow } from './transform.ts';
import { userChoice } from './user-choice.ts';

type Variant = (tool: Tool) => Tool;

/** Tools that behave in PyFlow's workflows as PyFlow's own. */
const variants: Readonly<Record<string, Variant>> = {
  condition: conditionAsPython,
  storage: storageAsPyflow,
  transform: transformAsPyflow,
};

/** A tool as a workflow of PyFlow finds it by name; undefined for one that is the same everywhere. */
export function pyflowTool(step: Step, name: string): Tool | undefined {
  if (name === 'get_user_choice') return userChoice(step.ctx.tools.get('ask_user'));
  const tool = Object.hasOwn(variants, name) ? step.ctx.tools.get(name) : undefined;
  return tool && variants[name]?.(tool);
}
