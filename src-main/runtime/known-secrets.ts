import { isJsonObject, type Json, jsonPointer } from '#shared/json.ts';

/** Shorter values would be found in innocent text. */
const SHORTEST = 8;

/** Where a value holds a known secret: the secret's name and the place as a JSON Pointer. */
export interface SecretPlace {
  readonly name: string;
  readonly path: string;
}

/** Finds the first known secret of 8 or more characters in a value, null when there is none. One in an object's key is placed at the object. */
export function findSecret(secrets: ReadonlyMap<string, string>, value: Json): SecretPlace | null {
  const known = longSecrets(secrets);
  const found = known.length === 0 ? null : findIn(known, value);
  return found && { name: found.name, path: jsonPointer(found.path) };
}

/** The value with every known secret in it replaced by `{secret:NAME}`. The very same value when it holds none. */
export function maskSecrets<T extends Json>(secrets: ReadonlyMap<string, string>, value: T): T {
  const known = longSecrets(secrets);
  return known.length === 0 || findIn(known, value) === null ? value : (maskIn(known, value) as T);
}

type KnownSecret = readonly [name: string, forms: readonly string[]];

const prepared = new WeakMap<ReadonlyMap<string, string>, readonly KnownSecret[]>();

/** Longest first, so that a secret that contains another is masked whole; each with the forms that it takes inside an address or a header. */
function longSecrets(secrets: ReadonlyMap<string, string>): readonly KnownSecret[] {
  const ready = prepared.get(secrets);
  if (ready) return ready;
  const known = [...secrets]
    .filter(([, value]) => value.length >= SHORTEST)
    .sort(([, one], [, other]) => other.length - one.length)
    .map(([name, value]): KnownSecret => [name, [...new Set([value, encodeURIComponent(value), Buffer.from(value).toString('base64')])]]);
  prepared.set(secrets, known);
  return known;
}

/** The path is put together on the way back, so that a search that finds nothing allocates nothing. */
function findIn(known: readonly KnownSecret[], value: Json): Found | null {
  if (typeof value === 'string') {
    const found = known.find(([, forms]) => forms.some((form) => value.includes(form)));
    return found ? { name: found[0], path: [] } : null;
  }
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const found = findIn(known, value[index] as Json);
      if (found) return { name: found.name, path: [index, ...found.path] };
    }
  } else if (isJsonObject(value)) {
    for (const key of Object.keys(value)) {
      const inKey = findIn(known, key);
      // The path ends here: with the key it would tell the secret.
      if (inKey) return inKey;
      const found = findIn(known, value[key] as Json);
      if (found) return { name: found.name, path: [key, ...found.path] };
    }
  }
  return null;
}

interface Found {
  readonly name: string;
  readonly path: readonly (string | number)[];
}

function maskIn(known: readonly KnownSecret[], value: Json): Json {
  if (typeof value === 'string') {
    return known.reduce((text, [name, forms]) => forms.reduce((masked, form) => masked.replaceAll(form, `{secret:${name}}`), text), value);
  }
  if (Array.isArray(value)) return value.map((item) => maskIn(known, item));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [maskIn(known, key) as string, maskIn(known, item)]));
}
