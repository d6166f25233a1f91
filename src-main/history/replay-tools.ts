import { builtInTools } from '#main/tools/catalogue.ts';
import type { Tool } from '#main/tools/tool.ts';

/**
 * The tools of a run that is computed again: the built-in ones by their descriptions, and whatever else the run called by a stand-in. None is ever called,
 * save built-in ones that touch nothing outside.
 */
export class ReplayTools extends Map<string, Tool> {
  /** `recorded`: names of the tools that the run called. */
  constructor(recorded: Iterable<string>) {
    super(builtInTools());
    for (const name of recorded) if (!super.has(name)) super.set(name, standIn(name));
  }

  override get(name: string): Tool {
    return super.get(name) ?? standIn(name);
  }
}

/** A tool that is not to be had here. What its calls came to stands in the record. */
function standIn(name: string): Tool {
  return {
    name,
    description: '',
    input_schema: { type: 'object', additionalProperties: true },
    effect: 'write',
    approve: 'never',
    call: () => {
      throw new Error(`${name} was called in a run that is only computed again.`);
    },
  };
}
