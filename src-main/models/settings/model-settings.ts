import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { makeProfileFolder, profileFolder } from '#main/platform/profile.ts';
import { replaceFile } from '#main/platform/replace-file.ts';
import { FlowError } from '#shared/run/error.ts';
import { modelPriceSchema } from '#shared/run/model-price.ts';

const modelSettingsSchema = z.object({
  /** URL of the default model of new agents; null: none. */
  default_model: z.string().nullable().default(null),
  /** Real paths of the GGUF files that the user chose. */
  files: z.array(z.string()).default([]),
  /** `genai://` services in addition to those of a workspace. */
  services: z.record(z.string(), z.object({ base_url: z.string() })).default({}),
  /** By model URL. */
  prices: z.record(z.string(), modelPriceSchema).default({}),
});

/** The user's model settings for all folders. Contains no keys. */
export type ModelSettings = z.infer<typeof modelSettingsSchema>;

/** Reads the profile's `models.json`. Throws `Invalid` if it is corrupt, so that it is not overwritten with less. */
export async function readModelSettings(): Promise<ModelSettings> {
  const path = join(profileFolder(), 'models.json');
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}';
    throw error;
  });
  try {
    return modelSettingsSchema.parse(JSON.parse(text));
  } catch {
    throw new FlowError('Invalid', `${path} is corrupt. Fix or remove it; it contains the default model, files, services and prices.`);
  }
}

/** Updates the profile's `models.json` and returns the new settings. */
export async function changeModelSettings(change: (settings: ModelSettings) => ModelSettings): Promise<ModelSettings> {
  const settings = modelSettingsSchema.parse(change(await readModelSettings()));
  await replaceFile(join(await makeProfileFolder(), 'models.json'), `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600 });
  return settings;
}
