import { loadSettings, type WorkspaceSettings } from '#main/workspace/settings.ts';
import type { Prices } from '#shared/run/model-cost.ts';
import { readModelSettings } from './model-settings.ts';

/** Returns what models cost in a folder: the user's prices, replaced by those of its `pravah.json`. Throws as `loadSettings` and `readModelSettings` do. */
export async function readPrices(folder: string, settings?: Pick<WorkspaceSettings, 'prices'>): Promise<Prices> {
  const [user, { prices }] = await Promise.all([readModelSettings(), settings ?? loadSettings(folder)]);
  return { ...user.prices, ...prices };
}
