import type { ReportForeign } from '#shared/import/foreign-problem.ts';
import { objectAt } from '#shared/import/json-fields.ts';
import { instead, type LeftOut, reportLeftOut } from '#shared/import/left-out.ts';
import type { JsonObject } from '#shared/json.ts';

/** Reports what a component is told about failures, time and its frozen result, which a flow has no place for. `node` is its node in the file. */
export function reportComponentSettings(
  { title, template, at }: { readonly title: string; readonly template: JsonObject; readonly at: readonly (string | number)[] },
  node: JsonObject,
  report: ReportForeign,
): void {
  const value = (field: string) => objectAt(template, field).value;
  const found: LeftOut[] = [];
  if (objectAt(objectAt(node, 'data'), 'node').frozen === true) found.push({ setting: 'its frozen result', instead: instead.pins });
  for (const field of ['max_retries', 'n_retries', 'retries']) {
    const tries = value(field);
    if (typeof tries === 'number' && tries > 0) found.push({ setting: `retries (${tries})`, instead: instead.retries });
  }
  const seconds = value('timeout');
  if (typeof seconds === 'number' && seconds > 0) found.push({ setting: `the timeout (${seconds} s)`, instead: instead.timeout });
  reportLeftOut(`“${title}”`, at, found, report);
}
