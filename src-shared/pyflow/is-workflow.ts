import { isJsonObject, type Json } from '#shared/json.ts';

/** Whether a YAML value is a PyFlow workflow: an object with `agents` and `orchestration` that is not a flow. */
export function isWorkflow(value: Json): boolean {
  return isJsonObject(value) && Object.hasOwn(value, 'agents') && Object.hasOwn(value, 'orchestration') && !Object.hasOwn(value, 'pravah');
}
