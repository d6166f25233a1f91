import type { Json, JsonSchema } from '#shared/json.ts';
import { faultsOf } from './field-faults.ts';
import { hasForm } from './field-settings.ts';

/** The first value of an editor without one: undefined for a form, which fills in its defaults; for JSON, the first of `{}` and `[]` that is valid. */
export function firstValue(schema: JsonSchema): Json | undefined {
  if (hasForm(schema)) return undefined;
  const empties: readonly Json[] = [{}, []];
  return empties.find((empty) => faultsOf(schema, empty).length === 0);
}
