import { isFrozenJson } from '#main/engine/values/freeze-json.ts';
import { changeJson, isJsonObject, type Json, type JsonShaped, jsonPointer } from '#shared/json.ts';

/** Shorter values would be found in innocent text. */
const shortestSecret = 8;

/** Where a value holds a known secret: the secret's name and the place as a JSON Pointer. */
export interface SecretPlace {
  readonly name: string;
  readonly path: string;
}

/** Finds the first known secret of 8 or more characters in a value, null if there is none. One in an object's key is placed at the object. */
export function findSecret(secrets: ReadonlyMap<string, string>, value: Json): SecretPlace | null {
  const known = longSecrets(secrets);
  const found = known.secrets.length === 0 ? null : findIn(known, value);
  return found && { name: found.name, path: jsonPointer(found.path) };
}

/** The value with every known secret in it replaced by `{secret:NAME}`. The very same value when it holds none. */
export function maskSecrets<T>(secrets: ReadonlyMap<string, string>, value: T & JsonShaped<T>): T {
  const known = longSecrets(secrets);
  if (known.secrets.length === 0) return value;
  return changeJson<T>(value, (json) => (findIn(known, json) === null ? json : maskIn(known, json)));
}

/** How many characters at the end of a text could be the beginning of a known secret, whose rest is still to come. */
export function begunSecret(secrets: ReadonlyMap<string, string>, text: string): number {
  let longest = 0;
  for (const form of longSecrets(secrets).secrets.flatMap(([, forms]) => forms)) {
    for (let length = Math.min(form.length - 1, text.length); length > longest; length -= 1) {
      if (text.endsWith(form.slice(0, length))) longest = length;
    }
  }
  return longest;
}

/** A secret with its forms, and the large values in which no secret was found: they cannot change, and are carried from step to step. */
interface KnownSecrets {
  readonly secrets: readonly (readonly [name: string, forms: readonly string[]])[];
  readonly clean: WeakSet<object>;
}

const prepared = new WeakMap<ReadonlyMap<string, string>, KnownSecrets>();

/** Longest first, so that a secret that contains another is masked whole; each with the forms that it takes elsewhere. */
function longSecrets(secrets: ReadonlyMap<string, string>): KnownSecrets {
  const ready = prepared.get(secrets);
  if (ready) return ready;
  const long = [...secrets]
    .filter(([, value]) => value.length >= shortestSecret)
    .sort(([, one], [, other]) => other.length - one.length)
    .map(([name, value]) => [name, formsOf(value)] as const);
  const known = { secrets: long, clean: new WeakSet<object>() };
  prepared.set(secrets, known);
  return known;
}

/** A secret as it is, in an address, inside JSON text, and in Base64 of both alphabets, with padding or without. */
function formsOf(value: string): string[] {
  const base64 = btoa(Array.from(new TextEncoder().encode(value), (byte) => String.fromCharCode(byte)).join('')).replace(/=+$/, '');
  const forAddresses = base64.replaceAll('+', '-').replaceAll('/', '_');
  return [...new Set([value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1), base64, forAddresses])];
}

/** The path is put together on the way back, so that a search that finds nothing allocates nothing. */
function findIn(known: KnownSecrets, value: Json): Found | null {
  if (typeof value === 'string') {
    const found = known.secrets.find(([, forms]) => forms.some((form) => value.includes(form)));
    return found ? { name: found[0], path: [] } : null;
  }
  if (typeof value !== 'object' || value === null || known.clean.has(value)) return null;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const found = findIn(known, value[index] as Json);
      if (found) return { name: found.name, path: [index, ...found.path] };
    }
  } else if (isJsonObject(value)) {
    for (const key of Object.keys(value)) {
      const inKey = findIn(known, key);
      // The path ends here: the key would reveal the secret.
      if (inKey) return inKey;
      const found = findIn(known, value[key] as Json);
      if (found) return { name: found.name, path: [key, ...found.path] };
    }
  }
  if (isFrozenJson(value)) known.clean.add(value);
  return null;
}

interface Found {
  readonly name: string;
  readonly path: readonly (string | number)[];
}

function maskIn(known: KnownSecrets, value: Json): Json {
  if (typeof value === 'string') {
    return known.secrets.reduce(
      (text, [name, forms]) => forms.reduce((masked, form) => masked.replaceAll(form, `{secret:${name}}`), text),
      value,
    );
  }
  if (Array.isArray(value)) return value.map((item) => maskIn(known, item));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [maskIn(known, key) as string, maskIn(known, item)]));
}
