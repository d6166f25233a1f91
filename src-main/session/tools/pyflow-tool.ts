import type { Tool } from '#main/engine/ports/tool.ts';
import type { Step } from '#main/engine/step/step.ts';
import { platformTools } from '#shared/pyflow/tools.ts';
import { conditionAsPython } from './condition.ts';
import { latestResult } from './latest-results.ts';
import { storageAsPyflow } from './storage.ts';
import { type KeepFloats, withFloats } from './tool-result.ts';
import { transformAsPyflow } from './transform.ts';
import { userChoice } from './user-choice.ts';

type Variant = (tool: Tool) => Tool;

/** Tools that behave in PyFlow's workflows as PyFlow's own. */
const variants: Readonly<Record<string, Variant>> = {
  condition: conditionAsPython,
  storage: storageAsPyflow,
  transform: transformAsPyflow,
};

/**
 * A tool as a workflow of PyFlow finds it by name; undefined for one that is the same everywhere. `floats` are those of its input, `keep` puts those
 * of its result beside it.
 */
export function pyflowTool(step: Step, name: string, floats: readonly string[], keep: KeepFloats): Tool | undefined {
  if (name === 'get_user_choice') return userChoice(step.ctx.tools.get('ask_user'));
  const tool = platformTools.has(name) ? step.ctx.tools.get(name) : undefined;
  if (!tool) return undefined;
  const isLatest = step.flow.dialect === 'latest';
  return withFloats(variants[name]?.(tool) ?? tool, floats, keep, (value) => (isLatest ? latestResult(name, value) : value));
}
