import type { Tool } from '#main/engine/ports/tool.ts';
import { builtInTools } from '#main/tools/catalogue.ts';

/**
 * Returns the tools of a replay: the built-in ones by their descriptions, and a stub for every other tool that the run called. None is ever called,
 * except built-in ones without side effects.
 */
export class ReplayTools extends Map<string, Tool> {
  /** `recorded`: names of the tools that the run called. */
  constructor(recorded: Iterable<string>) {
    super(builtInTools());
    for (const name of recorded) if (!super.has(name)) super.set(name, recordedTool(name));
  }

  override get(name: string): Tool {
    return super.get(name) ?? recordedTool(name);
  }
}

/** A stub for a tool that is not available. Its results come from the recording. */
function recordedTool(name: string): Tool {
  return {
    name,
    description: '',
    input_schema: { type: 'object', additionalProperties: true },
    effect: 'write',
    approve: 'never',
    call: () => {
      throw new Error(`${name} was called during a replay.`);
    },
  };
}
