import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { FlowError } from '#shared/run/error.ts';

/** Matches names of variables that contain a secret. */
const secretName =
  /(^|_)(KEY|APIKEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|AUTH|DSN|(DATABASE|REDIS|MONGO(DB)?|AMQP)_UR[LI])(_|$)/i;

/** Keys of model providers that are read from this process's environment. */
const providerKeys = ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'GEMINI_API_KEY'] as const;

/** A secret that the user stored independently of any folder. */
export interface StoredSecret {
  readonly name: string;
  readonly value: string;
  /** Hosts that may receive it; see `mayGoTo`. */
  readonly hosts: readonly string[];
}

/**
 * Reads all variables of a folder's `.env`; `{}` if it is missing. The values never enter `process.env` or a child's environment.
 * Only for trusted folders.
 */
export async function readDotEnv(folder: string): Promise<Readonly<Record<string, string>>> {
  let text: string;
  try {
    text = await readFile(join(folder, '.env'), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new FlowError('BuildError', `Can't read .env: ${(error as Error).message}`, { code: 'CONFIG_SETTINGS_INVALID' });
  }
  return Object.fromEntries(Object.entries(parseEnv(text)).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/**
 * The secrets among the variables of a `.env` (by their names, and those that are `named` as keys) and of the process's environment (the
 * providers' keys), by name.
 */
export function secretsOf(
  dotEnv: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string | undefined>> = process.env,
  named: Iterable<string> = [],
): Map<string, string> {
  const secrets = new Map<string, string>();
  for (const name of providerKeys) {
    const value = env[name];
    if (value) secrets.set(name, value);
  }
  const keys = new Set(named);
  for (const [name, value] of Object.entries(dotEnv)) {
    if (value && (keys.has(name) || secretName.test(name))) secrets.set(name, value);
  }
  return secrets;
}
