import { createHash } from 'node:crypto';
import type { ToolDefinition } from '#main/engine/ports/model-client.ts';

/** Function names that all vendors accept (OpenAI is the strictest: `^[a-zA-Z0-9_-]{1,64}$`; Gemini's must not start with a digit). */
const acceptable = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;

/** Maps tool names to names that vendors accept: `mcp:github/search` and `./tools/crm.ts` are not valid function names. */
export class AdvertisedNames {
  readonly #tools = new Map<string, string>();

  constructor(tools: readonly ToolDefinition[]) {
    for (const { name } of tools) this.#tools.set(this.of(name), name);
  }

  /** The vendor name of a tool; the same in every request. */
  of(tool: string): string {
    if (acceptable.test(tool)) return tool;
    const hash = createHash('sha256').update(tool).digest('hex').slice(0, 8);
    return `t_${tool.replace(/[^a-zA-Z0-9_-]+/g, '_').slice(-50)}_${hash}`;
  }

  /** The tool for a vendor name. */
  tool(name: string): string {
    return this.#tools.get(name) ?? name;
  }
}
