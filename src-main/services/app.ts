import { setTimeout as wait } from 'node:timers/promises';
import type { HostCapabilities } from '#main/services/host/host-capabilities.ts';
import { version } from '#main/version.ts';
import { readPreferences, writePreferences } from '#main/workspace/preferences.ts';
import { studio } from './implementer.ts';

/** The studio itself: version, heartbeat and preferences. */
export function appRouter(host: HostCapabilities) {
  return {
    info: studio.app.info.handler(() => ({
      version,
      host: host.host,
      platform: process.platform,
      folder_dialog: host.chooseFolder !== undefined,
      notice: host.notice,
    })),
    settings: studio.app.settings.handler(() => readPreferences()),
    setSettings: studio.app.setSettings.handler(({ input }) => writePreferences(input)),
    heartbeat: studio.app.heartbeat.handler(({ input, signal }) => heartbeat(input.interval_ms, signal)),
    menu: studio.app.menu.handler(({ signal }) => host.commands?.read(signal) ?? nothing()),
  };
}

async function* heartbeat(intervalMs: number, signal: AbortSignal | undefined): AsyncGenerator<{ now: number }, void> {
  while (!signal?.aborted) {
    yield { now: Date.now() };
    await wait(intervalMs, undefined, { signal }).catch(() => undefined);
  }
}

async function* nothing(): AsyncGenerator<never, void> {}
