import { parseModelUrl } from '#shared/flow/model-url.ts';
import type { OutlineNode } from '#shared/flow/outline.ts';
import { isJsonObject } from '#shared/json.ts';
import type { Report } from './report.ts';

/** Checks an agent's model URL. A value that is not a string is left to the format check. */
export function checkModelUrl({ raw, path, id }: OutlineNode, report: Report): void {
  const model = isJsonObject(raw.agent) ? raw.agent.model : undefined;
  const parsed = typeof model === 'string' ? parseModelUrl(model) : undefined;
  if (parsed?.ok === false) report('bad_model_url', `${path}/agent/model`, [id], parsed.message);
}
