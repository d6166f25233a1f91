import { setTimeout as wait } from 'node:timers/promises';
import type { HostCapabilities } from '#main/services/host.ts';
import { studio } from '#main/services/implementer.ts';
import { version } from '#main/version.ts';

/** The studio itself: what it is, whether it is alive. */
export function appRouter(host: HostCapabilities) {
  return {
    info: studio.app.info.handler(() => ({
      version,
      host: host.host,
      platform: process.platform,
      folder_dialog: host.chooseFolder !== undefined,
      notice: host.notice,
    })),
    heartbeat: studio.app.heartbeat.handler(({ input, signal }) => heartbeat(input.interval_ms, signal)),
  };
}

async function* heartbeat(intervalMs: number, signal: AbortSignal | undefined): AsyncGenerator<{ now: number }> {
  while (!signal?.aborted) {
    yield { now: Date.now() };
    await wait(intervalMs, undefined, { signal }).catch(() => undefined);
  }
}
