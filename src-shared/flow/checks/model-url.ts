import { parseModelUrl } from '#shared/flow/model-url.ts';
import type { OutlineNode } from '#shared/flow/outline.ts';
import { isJsonObject, type Json } from '#shared/json.ts';
import { stepAgents } from './plan.ts';
import type { Report } from './report.ts';

const noTemplate =
  'A model URL must not be a template: which models a flow can call has to be known. Name the models: model: { by: FIELD, NAME: URL, else: NAME }.';

/** Checks an agent's model URL, and those of its summaries and judges. A value that is not a string is left to the format check. */
export function checkModelUrl(node: OutlineNode, report: Report): void {
  const { raw, path, id } = node;
  const agent = isJsonObject(raw.agent) ? raw.agent : {};
  checkUrl(agent.model, `${path}/agent/model`);
  if (isJsonObject(agent.model)) {
    const { by: _by, else: _otherwise, ...urls } = agent.model;
    for (const [name, url] of Object.entries(urls)) checkUrl(url, `${path}/agent/model/${name}`);
  }
  const { context } = agent;
  if (isJsonObject(context) && isJsonObject(context.summarise)) checkUrl(context.summarise.model, `${path}/agent/context/summarise/model`);

  for (const step of stepAgents(node)) {
    checkUrl(step.agent.model, `${step.path}/model`);
    const history = step.agent.context;
    if (isJsonObject(history) && isJsonObject(history.summarise)) checkUrl(history.summarise.model, `${step.path}/context/summarise/model`);
  }

  const guards = isJsonObject(agent.guards) ? agent.guards : {};
  for (const stage of ['input', 'output'] as const) {
    const rules = guards[stage];
    for (const [index, rule] of (Array.isArray(rules) ? rules : []).entries())
      if (isJsonObject(rule) && isJsonObject(rule.judge)) checkUrl(rule.judge.model, `${path}/agent/guards/${stage}/${index}/judge/model`);
  }

  function checkUrl(model: Json | undefined, place: string): void {
    if (typeof model !== 'string') return;
    const parsed = /\{\w+(?:\.\w+)*\}/.test(model) ? ({ ok: false, message: noTemplate } as const) : parseModelUrl(model);
    if (!parsed.ok) report('bad_model_url', place, [id], parsed.message);
  }
}
