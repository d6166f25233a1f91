import { isJsonObject, type Json } from '#shared/json.ts';

/** Appends to `text` until `length` is reached; deep or long values cost no more than what is shown. */
function write(value: Json, text: string, length: number): string {
  if (text.length > length) return text;
  if (typeof value === 'string') return text + JSON.stringify(value.slice(0, length));
  if (Array.isArray(value)) {
    let list = `${text}[`;
    for (const [index, item] of value.entries()) {
      if (list.length > length) return list;
      list = write(item, index === 0 ? list : `${list}, `, length);
    }
    return `${list}]`;
  }
  if (!isJsonObject(value)) return text + String(value);
  let object = `${text}{`;
  let first = true;
  for (const key in value) {
    if (object.length > length) return object;
    const name = /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key.slice(0, length));
    object = write(value[key] as Json, `${object}${first ? ' ' : ', '}${name}: `, length);
    first = false;
  }
  return first ? `${object}}` : `${object} }`;
}

/** A value in one line of at most `length` characters: `{ range: "v1.4..HEAD", features: […`. */
export function previewOf(value: Json, length = 120): string {
  const text = write(value, '', length);
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
