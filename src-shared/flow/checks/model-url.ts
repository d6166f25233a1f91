import { parseModelUrl } from '#shared/flow/model-url.ts';
import type { OutlineNode } from '#shared/flow/outline.ts';
import { isJsonObject, type Json } from '#shared/json.ts';
import type { Report } from './report.ts';

/** Checks an agent's model URL, and that of its summaries. A value that is not a string is left to the format check. */
export function checkModelUrl({ raw, path, id }: OutlineNode, report: Report): void {
  const agent = isJsonObject(raw.agent) ? raw.agent : {};
  checkUrl(agent.model, `${path}/agent/model`);
  const { context } = agent;
  if (isJsonObject(context) && isJsonObject(context.summarise)) checkUrl(context.summarise.model, `${path}/agent/context/summarise/model`);

  function checkUrl(model: Json | undefined, place: string): void {
    const parsed = typeof model === 'string' ? parseModelUrl(model) : undefined;
    if (parsed?.ok === false) report('bad_model_url', place, [id], parsed.message);
  }
}
