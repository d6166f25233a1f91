import { freezeJson } from '#main/engine/values/freeze-json.ts';
import type { NamedState } from '#shared/flow/graph.ts';
import type { Json } from '#shared/json.ts';
import { FlowError } from '#shared/run/error.ts';
import type { FlowPlan } from './node-plan.ts';

/** An input as a flow's first state, frozen. Throws `FlowError` `DeserializeError` with the path of the field that is wrong. */
export function acceptInput({ entry }: FlowPlan, input: unknown, what = 'The input', node = entry.name): NamedState {
  const notJson = freezeJson(input);
  const violation = notJson ? { ...notJson, keyword: 'json', message: `holds ${notJson.message}` } : entry.check(input as Json);
  if (violation) {
    throw new FlowError(
      'DeserializeError',
      `${what} is not a ${entry.name}: ${violation.message}${violation.path && !violation.message.includes(violation.path) ? ` (at ${violation.path})` : ''}.`,
      {
        node,
        details: { schema: entry.name, path: violation.path, keyword: violation.keyword },
      },
    );
  }
  return { name: entry.name, value: input as Json };
}
