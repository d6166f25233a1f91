import { pointerSegments } from '#shared/flow/parse-flow.ts';
import { isJsonObject, type Json } from '#shared/json.ts';

/** Returns the value at a JSON Pointer (RFC 6901; empty: the whole value); undefined if there is none. */
export function valueAt(value: Json, pointer: string): Json | undefined {
  let found: Json | undefined = value;
  for (const key of pointerSegments(pointer)) {
    if (Array.isArray(found)) found = /^\d+$/.test(key) ? found[Number(key)] : undefined;
    else found = isJsonObject(found) && Object.hasOwn(found, key) ? found[key] : undefined;
    if (found === undefined) return undefined;
  }
  return found;
}
