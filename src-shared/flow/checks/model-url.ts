import { parseModelUrl } from '#shared/flow/model-url.ts';
import type { OutlineNode } from '#shared/flow/outline.ts';
import { isJsonObject, type Json } from '#shared/json.ts';
import type { Report } from './report.ts';

/** Checks an agent's model URL, and those of its summaries and judges. A value that is not a string is left to the format check. */
export function checkModelUrl({ raw, path, id }: OutlineNode, report: Report): void {
  const agent = isJsonObject(raw.agent) ? raw.agent : {};
  checkUrl(agent.model, `${path}/agent/model`);
  const { context } = agent;
  if (isJsonObject(context) && isJsonObject(context.summarise)) checkUrl(context.summarise.model, `${path}/agent/context/summarise/model`);

  const guards = isJsonObject(agent.guards) ? agent.guards : {};
  for (const stage of ['input', 'output'] as const) {
    const rules = guards[stage];
    for (const [index, rule] of (Array.isArray(rules) ? rules : []).entries())
      if (isJsonObject(rule) && isJsonObject(rule.judge)) checkUrl(rule.judge.model, `${path}/agent/guards/${stage}/${index}/judge/model`);
  }

  function checkUrl(model: Json | undefined, place: string): void {
    const parsed = typeof model === 'string' ? parseModelUrl(model) : undefined;
    if (parsed?.ok === false) report('bad_model_url', place, [id], parsed.message);
  }
}
