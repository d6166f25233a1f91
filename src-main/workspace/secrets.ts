import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { isJsonObject, type Json, jsonPointer } from '#shared/json.ts';
import { FlowError } from '#shared/runtime/error.ts';

/** Shorter values would be found in innocent text. */
const SHORTEST = 8;

/** Names of variables that hold a secret, by the words that such names are made of. */
const secretName =
  /(^|_)(KEY|APIKEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|AUTH|DSN|(DATABASE|REDIS|MONGO(DB)?|AMQP)_UR[LI])(_|$)/i;

/** Keys of model providers that are read from this process's environment. */
const providerKeys = ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'GEMINI_API_KEY'] as const;

/**
 * Reads a folder's `.env`: every variable in it, `{}` when there is none. The values never enter `process.env` nor a child's environment.
 * Only for trusted folders.
 */
export async function readDotEnv(folder: string): Promise<Readonly<Record<string, string>>> {
  let text: string;
  try {
    text = await readFile(join(folder, '.env'), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new FlowError('BuildError', `.env cannot be read: ${(error as Error).message}`, { code: 'CONFIG_SETTINGS_INVALID' });
  }
  return Object.fromEntries(Object.entries(parseEnv(text)).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** The secrets among the variables of a `.env` (by their names) and of the process's environment (the providers' keys), by name. */
export function secretsOf(
  dotEnv: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Map<string, string> {
  const secrets = new Map<string, string>();
  for (const name of providerKeys) {
    const value = env[name];
    if (value) secrets.set(name, value);
  }
  for (const [name, value] of Object.entries(dotEnv)) {
    if (value && secretName.test(name)) secrets.set(name, value);
  }
  return secrets;
}

/** Where a value holds a known secret: the secret's name and the place as a JSON Pointer. */
export interface SecretPlace {
  readonly name: string;
  readonly path: string;
}

/** Finds the first known secret of 8 or more characters in a value, object keys included; null when there is none. */
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
      const found = findIn(known, key) ?? findIn(known, value[key] as Json);
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
