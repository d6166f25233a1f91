import type { PageFiles } from '#main/hosts/page-files.ts';
import { startWebHost, type WebHost } from '#main/hosts/web/web-host.ts';
import { createServices } from '#main/services/services.ts';
import { temporaryProfile } from '#main/workspace/testing/profile.ts';

const fileOf = (type: string, text: string) => ({ type, read: async () => new TextEncoder().encode(text) });

/** A page of two files; the host does not depend on their content. */
const files: PageFiles = new Map([
  ['/index.html', fileOf('text/html; charset=utf-8', '<!doctype html><html><head><title>Studio</title></head></html>')],
  ['/assets/main.js', fileOf('text/javascript; charset=utf-8', 'export {};')],
]);

export interface StartedHost extends WebHost {
  /** Advances the host's clock by milliseconds. */
  pass(time: number): void;
}

/** Starts a web host with real services and its own profile. `whenDone` receives a cleanup for each part, last first. */
export async function startHost(whenDone: (end: () => PromiseLike<void>) => void, port = 0): Promise<StartedHost> {
  let time = 1_000_000;
  const profile = await temporaryProfile();
  whenDone(() => profile[Symbol.asyncDispose]());
  const services = createServices({ host: 'web', notice: null }, { folder: profile.root });
  whenDone(() => services.close());
  const host = await startWebHost({ router: services.router, files, port, now: () => time });
  whenDone(() => host.close());
  return {
    ...host,
    pass(more) {
      time += more;
    },
  };
}
