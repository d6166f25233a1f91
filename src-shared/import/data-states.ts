import type { JsonObject, JsonSchema } from '#shared/json.ts';

/** The fields of `data` in a state: their schemas, and whether every way there has set them. */
export type Fields = ReadonlyMap<string, { readonly schema: JsonSchema; readonly required: boolean }>;

/** How `data` goes from states to states. A step with several `from` joins them. */
export interface DataStep {
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly adds: Readonly<Record<string, JsonSchema>>;
}

/** The fields in each state, by following all steps until nothing changes. */
export function fieldsByState(input: string, fields: Fields, steps: readonly DataStep[]): Map<string, Fields> {
  const known = new Map<string, Fields>([[input, fields]]);
  for (let changed = true; changed; ) {
    changed = false;
    for (const { from, to, adds } of steps) {
      const parents = from.flatMap((state) => known.get(state) ?? []);
      if (parents.length < from.length) continue;
      const joined = new Map(parents.flatMap((parent) => [...parent]));
      for (const [key, schema] of Object.entries(adds)) joined.set(key, { schema, required: true });
      for (const state of to) {
        const before = known.get(state);
        const now = before ? common(before, joined) : joined;
        if (before && isSame(before, now)) continue;
        known.set(state, now);
        changed = true;
      }
    }
  }
  return known;
}

/** What holds whichever of two ways was taken: all fields, and only those required that both set. */
function common(left: Fields, right: Fields): Fields {
  const all = new Map(left);
  for (const [key, field] of right) {
    const other = left.get(key);
    all.set(key, {
      schema: other && !isSameSchema(other.schema, field.schema) ? true : field.schema,
      required: (other?.required ?? false) && field.required,
    });
  }
  for (const [key, field] of left) if (!right.has(key)) all.set(key, { ...field, required: false });
  return all;
}

function isSame(left: Fields, right: Fields): boolean {
  if (left.size !== right.size) return false;
  for (const [key, { schema, required }] of right) {
    const other = left.get(key);
    if (!other || other.required !== required || !isSameSchema(other.schema, schema)) return false;
  }
  return true;
}

function isSameSchema(left: JsonSchema, right: JsonSchema): boolean {
  return left === right || JSON.stringify(left) === JSON.stringify(right);
}

/** The schema of an object with these fields. Others may be there: those that can hold anything are not listed. */
export function schemaOf(fields: Fields): JsonObject {
  const listed = [...fields].filter(([, { schema }]) => schema !== true);
  const required = listed.filter(([, field]) => field.required).map(([key]) => key);
  return {
    type: 'object',
    ...(listed.length > 0 && { properties: Object.fromEntries(listed.map(([key, { schema }]) => [key, schema])) }),
    ...(required.length > 0 && { required }),
  };
}
