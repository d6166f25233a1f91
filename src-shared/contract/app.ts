import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { procedure } from '#shared/contract/common.ts';

export const settingsSchema = z.object({
  color_scheme: z.enum(['auto', 'light', 'dark']),
  panning: z.enum(['design', 'map']),
});
export type Settings = z.infer<typeof settingsSchema>;

export const appInfoSchema = z.object({
  version: z.string(),
  host: z.enum(['electron', 'web']),
  platform: z.string(),
  folder_dialog: z.boolean(),
  /** Why this is not a desktop window, in one line; null in Electron. */
  notice: z.string().nullable(),
});
export type AppInfo = z.infer<typeof appInfoSchema>;

export const appContract = {
  info: procedure.output(appInfoSchema),
  settings: procedure.output(settingsSchema),
  setSettings: procedure.input(settingsSchema.partial()).output(settingsSchema),
  /** One tick a second with the time in milliseconds: shows that the host is alive. */
  heartbeat: procedure
    .input(z.object({ interval_ms: z.int().min(10).max(60_000).default(1000) }))
    .output(eventIterator(z.object({ now: z.number() }))),
  /** Commands that the host's own menu sends to the page (`save`, `run`, `step_over`, `open_folder`, …). */
  menu: procedure.output(eventIterator(z.object({ command: z.string() }))),
};
