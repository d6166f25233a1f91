import { protocol } from 'electron';
import type { PageFiles } from '#main/hosts/page-files.ts';
import { pageHeaders } from '#main/hosts/page-policy.ts';

/** The studio's own scheme and its one host. Nothing else has this origin. */
export const pageOrigin = { protocol: 'app:', host: 'studio' } as const;

/** Address of the studio's page. */
export const pageUrl = `${pageOrigin.protocol}//${pageOrigin.host}/`;

/** Makes `app:` a scheme like https: with an origin of its own and a storage. Must run before the app is ready. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ]);
}

/** Whether an address is one of our own page. */
export function isOwnPage(address: string): boolean {
  try {
    const url = new URL(address);
    return url.protocol === pageOrigin.protocol && url.host === pageOrigin.host;
  } catch {
    return false;
  }
}

/** Serves the listed files, and nothing else. Must run when the app is ready. */
export function serveAppScheme(files: PageFiles): void {
  protocol.handle('app', async (request) => {
    const url = new URL(request.url);
    const path = url.pathname === '/' ? '/index.html' : url.pathname;
    const file = isOwnPage(request.url) && request.method === 'GET' ? files.get(path) : undefined;
    if (!file) return new Response('File not found.', { status: 404, headers: pageHeaders });
    return new Response(await file.read(), { headers: { ...pageHeaders, 'content-type': file.type } });
  });
}
