import type { IncomingHttpHeaders } from 'node:http';

/** Why a request is not answered: its status, and what a person should read. */
export interface Refusal {
  readonly status: 400 | 401 | 403 | 404 | 405 | 413;
  readonly message: string;
}

/** Where a request says that it comes from and goes to. */
export interface RequestOrigin {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
}

/**
 * Refuses whatever does not come from our own page, before anything else looks at it. `authority` is `127.0.0.1:PORT`.
 * A `Host` of another name means DNS rebinding; a foreign `Origin` or `Sec-Fetch-Site` means another site's page. Only
 * loading the document itself may come from nowhere (an address that a person or program opened), and from a file of the user's
 * (which counts as another site), where `isOwnFile` recognises it.
 */
export function refuseForeign(request: RequestOrigin, authority: string, isOwnFile: () => boolean): Refusal | null {
  const { headers, method } = request;
  if (method !== 'GET' && method !== 'POST') return { status: 405, message: 'Only GET and POST are answered here.' };
  if (headers.host !== authority) return { status: 403, message: `This studio answers only at ${authority}.` };
  if (headers.origin === undefined ? method === 'POST' : headers.origin !== `http://${authority}`) {
    return { status: 403, message: 'Calls are taken only from the studio’s own page.' };
  }
  const site = headers['sec-fetch-site'];
  if (site === 'same-origin' || (site === 'none' && isDocument(request))) return null;
  if (site === 'cross-site' && isDocument(request) && isOwnFile()) return null;
  return {
    status: 403,
    message:
      site === undefined
        ? 'This browser does not say where its requests come from. Use a current Chromium, Firefox or Safari.'
        : 'Requests are taken only from the studio’s own page. Open its address yourself instead of following a link.',
  };
}

const isDocument = ({ method, headers }: RequestOrigin): boolean =>
  method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
