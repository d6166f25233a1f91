import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeProfileFolder, profileFolder } from '#main/platform/profile.ts';
import { replaceFile } from '#main/platform/replace-file.ts';
import { type Settings, settingsSchema } from '#shared/contract/app.ts';

const defaults: Settings = { color_scheme: 'auto', panning: 'design', panels: null };

/** The user's preferences. An invalid value is replaced with its default. */
export async function readPreferences(): Promise<Settings> {
  const text = await readFile(join(profileFolder(), 'preferences.json'), 'utf8').catch(() => '{}');
  const stored = settingsSchema.partial().catch({}).parse(parse(text));
  return { ...defaults, ...stored };
}

/** The last write. Writes are serialized, so that none overwrites another's changes. */
let lastWrite: Promise<unknown> = Promise.resolve();

/** Saves the given preferences and returns all of them. */
export function writePreferences(changes: Partial<Settings>): Promise<Settings> {
  const written = lastWrite.then(() => write(changes));
  lastWrite = written.catch(() => undefined);
  return written;
}

async function write(changes: Partial<Settings>): Promise<Settings> {
  const settings = { ...(await readPreferences()), ...changes };
  await replaceFile(join(await makeProfileFolder(), 'preferences.json'), `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600 });
  return settings;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
