import type { Json, JsonSchema } from '#shared/json.ts';
import { faultsOf } from './field-faults.ts';
import { hasForm } from './field-settings.ts';

/** What an editor begins with where nothing is known: for a form nothing, since it fills in its own defaults; for JSON the first of `{}`, `[]` that fits. */
export function firstValue(schema: JsonSchema): Json | undefined {
  if (hasForm(schema)) return undefined;
  const empties: readonly Json[] = [{}, []];
  return empties.find((empty) => faultsOf(schema, empty).length === 0);
}
