import type { ReportForeign } from '#shared/import/foreign-problem.ts';
import { objectAt, textAt } from '#shared/import/json-fields.ts';
import { instead, type LeftOut, reportLeftOut } from '#shared/import/left-out.ts';
import type { Json, JsonObject } from '#shared/json.ts';
import type { N8nNode } from './context.ts';

/** Reports what a node is told about failures, time and items, which a flow has no place for. */
export function reportNodeSettings({ name, raw, parameters, at }: N8nNode, report: ReportForeign): void {
  const options = objectAt(parameters, 'options');
  const onError = textAt(raw, 'onError');
  const found: LeftOut[] = [];
  if (raw.retryOnFail === true) found.push({ setting: `retries (${number(raw.maxTries) ?? 3} tries)`, instead: instead.retries });
  if (raw.continueOnFail === true || onError === 'continueRegularOutput')
    found.push({ setting: 'continuing after an error', instead: instead.goOn });
  if (raw.executeOnce === true) found.push({ setting: '“execute once”', instead: 'A node runs once here, with one item.' });
  if (raw.alwaysOutputData === true) found.push({ setting: '“always output data”', instead: 'A node always hands on an item here.' });
  if (number(options.timeout) !== null) found.push({ setting: `the timeout (${String(options.timeout)} ms)`, instead: instead.timeout });
  if (Object.keys(objectAt(options, 'batching')).length > 0) found.push({ setting: 'batching', instead: instead.parallel });
  reportLeftOut(`“${name}”`, at, found, report);
}

/** Reports what the workflow is told as a whole. */
export function reportWorkflowSettings(value: Json, report: ReportForeign): void {
  const settings = objectAt(value, 'settings');
  const pinned = Object.entries(objectAt(value, 'pinData')).filter(([, items]) => Array.isArray(items) && items.length > 0);
  for (const [name] of pinned)
    reportLeftOut(`“${name}”`, ['pinData', name], [{ setting: 'its pinned data', instead: instead.pins }], report);
  const found: LeftOut[] = [];
  if ((number(settings.executionTimeout) ?? -1) > 0)
    found.push({
      setting: `the timeout (${String(settings.executionTimeout)} s)`,
      instead: 'Stop a run in the studio, or limit its steps.',
    });
  if (textAt(settings, 'errorWorkflow') !== '')
    found.push({ setting: 'the error workflow', instead: 'Watch for failed runs with "pravah runs".' });
  reportLeftOut('The workflow', ['settings'], found, report);
}

function number(value: JsonObject[string] | undefined): number | null {
  return typeof value === 'number' ? value : null;
}
