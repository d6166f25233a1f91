import { createHash } from 'node:crypto';
import type { ToolDefinition } from '#main/models/model-client.ts';

/** What all vendors accept as a function's name (the strictest, OpenAI's: `^[a-zA-Z0-9_-]{1,64}$`; Gemini's begins with no digit). */
const acceptable = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;

/** Tool names as models see them: `mcp:github/search` and `./tools/crm.ts` are no names to a vendor, so they get names of their own. */
export class AdvertisedNames {
  readonly #tools = new Map<string, string>();

  constructor(tools: readonly ToolDefinition[]) {
    for (const { name } of tools) this.#tools.set(this.of(name), name);
  }

  /** The name that is sent for a tool; the same in every request. */
  of(tool: string): string {
    if (acceptable.test(tool)) return tool;
    const hash = createHash('sha256').update(tool).digest('hex').slice(0, 8);
    return `t_${tool.replace(/[^a-zA-Z0-9_-]+/g, '_').slice(-50)}_${hash}`;
  }

  /** The tool that a model means by a name. */
  tool(name: string): string {
    return this.#tools.get(name) ?? name;
  }
}
