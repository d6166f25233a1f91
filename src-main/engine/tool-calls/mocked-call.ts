import type { CallPoint, SuppliedCall } from '#main/engine/ports/supply.ts';
import { revealSecrets } from '#main/engine/secrets/reveal.ts';
import type { DescribedTool } from '#main/engine/step/flow-tool.ts';
import type { Step } from '#main/engine/step/step.ts';
import { suppliedResult } from '#main/engine/step/supplied-result.ts';
import { secretsIn } from '#shared/flow/secret-placeholder.ts';
import type { Json, JsonObject } from '#shared/json.ts';
import { ToolError } from '#shared/run/error.ts';
import { checkedResult } from './tool-boundary.ts';

/** Returns what a mock puts in the place of a tool call; undefined where the tool is called. */
export function mockOf(step: Step, tool: DescribedTool, key: CallPoint['key'], input: JsonObject): SuppliedCall | undefined {
  return step.suppliedCall({ what: 'tool', key, name: tool.name, input: () => input });
}

/**
 * Refuses a mocked call that would be refused if it were made, whatever the user approves: paths, commands, and secrets that may not be sent there. Throws
 * `ToolError`. A run that is computed again from its record has been judged.
 */
export async function assertAdmitted(step: Step, tool: DescribedTool, input: JsonObject): Promise<void> {
  if (step.run.recorder?.decided) return;
  await tool.admit?.(input, step.ctx);
  if (secretsIn(input).length === 0) return;
  const { url } = input;
  if (typeof url !== 'string' || !URL.canParse(url))
    throw new ToolError(
      'Denied',
      `${tool.name} can't take secrets while it is mocked, because its call has no url that says where they go.`,
    );
  for (const [field, value] of Object.entries(input)) revealSecrets(step.ctx, step.plan.node.body, field, value, new URL(url));
}

/** Waits as long as the mock says, and returns its result. Throws its error. */
export async function mockedResult(step: Step, tool: DescribedTool, mock: SuppliedCall): Promise<Json> {
  return checkedResult(step, tool, await suppliedResult(step, mock));
}
