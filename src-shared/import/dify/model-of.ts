import type { AgentSettings } from '#shared/flow/document.ts';
import type { ReportForeign } from '#shared/import/foreign-problem.ts';
import { numberAt, objectAt, textAt } from '#shared/import/json-fields.ts';
import { serviceNeeded, vendorModel } from '#shared/import/vendor-model.ts';
import type { JsonObject } from '#shared/json.ts';

/** The model of a Dify node, and its parameters. */
export function modelOf(
  model: JsonObject,
  title: string,
  at: readonly (string | number)[],
  report: ReportForeign,
): { readonly url: string; readonly params: Pick<AgentSettings, 'params'> } {
  const { url, known } = vendorModel(textAt(model, 'provider'), textAt(model, 'name') || textAt(model, 'model') || 'MODEL');
  if (!known) report('import_departs', at, serviceNeeded(title, url));
  const given = objectAt(model, 'completion_params');
  const found = {
    temperature: numberAt(given, 'temperature'),
    top_p: numberAt(given, 'top_p'),
    max_tokens: numberAt(given, 'max_tokens'),
    top_k: numberAt(given, 'top_k'),
  };
  const params = Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
  return { url, params: Object.keys(params).length > 0 ? { params } : {} };
}
