import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { procedure } from './common.ts';

/** A panel around the canvas: whether it is open, its width (the bottom panel's height) in pixels, and its selected tab. */
const panelSchema = z.object({ open: z.boolean(), size: z.int().min(100).max(2000), tab: z.string().max(40) });

export const settingsSchema = z.object({
  color_scheme: z.enum(['auto', 'light', 'dark']),
  panning: z.enum(['design', 'map']),
  /** How the panels were left; null before they were touched. */
  panels: z.object({ left: panelSchema, right: panelSchema, bottom: panelSchema }).nullable(),
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

export const hostCommandSchema = z.object({ command: z.string(), argument: z.string().optional() });
export type HostCommand = z.infer<typeof hostCommandSchema>;

export const appContract = {
  info: procedure.output(appInfoSchema),
  settings: procedure.output(settingsSchema),
  setSettings: procedure.input(settingsSchema.partial()).output(settingsSchema),
  /** One tick a second with the time in milliseconds: shows that the host is alive. */
  heartbeat: procedure
    .input(z.object({ interval_ms: z.int().min(10).max(60_000).default(1000) }))
    .output(eventIterator(z.object({ now: z.number() }))),
  /**
   * Commands that the host gives the page: those of its own menu (ids of the command palette: `save`, `run`, …), and two with an
   * argument: `open_flow` (path relative to the open folder) and `show_run` (a run's id; from a link or a notification).
   */
  menu: procedure.output(eventIterator(hostCommandSchema)),
};
