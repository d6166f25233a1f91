import { appRouter } from '#main/services/app.ts';
import type { HostCapabilities } from '#main/services/host.ts';

/** The studio's services as one router, with what ends them. */
export interface Services {
  readonly router: StudioRouter;
  /** Ends watches and stops driving runs; waiting runs stay in their journals. */
  close(): Promise<void>;
}

export type StudioRouter = ReturnType<typeof createRouter>;

const createRouter = (host: HostCapabilities) => ({ app: appRouter(host) });

/** Makes the services of one studio process. Every window, tab and test of that process shares them. */
export function createServices(host: HostCapabilities): Services {
  return { router: createRouter(host), close: async () => undefined };
}
