import type { IncomingHttpHeaders } from 'node:http';

/** Why a request is refused: its status and a message for the user. */
export interface Refusal {
  readonly status: 400 | 401 | 403 | 404 | 405 | 413;
  readonly message: string;
}

/** Claimed origin and target of a request. */
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
  if (method !== 'GET' && method !== 'POST') return { status: 405, message: 'Only GET and POST are allowed.' };
  if (headers.host !== authority) return { status: 403, message: `This studio is only available at ${authority}.` };
  if (headers.origin === undefined ? method === 'POST' : headers.origin !== `http://${authority}`) {
    return { status: 403, message: 'Calls are accepted only from the studio’s own page.' };
  }
  const site = headers['sec-fetch-site'];
  if (site === 'same-origin' || (site === 'none' && isDocument(request))) return null;
  if (site === 'cross-site' && isDocument(request) && isOwnFile()) return null;
  return {
    status: 403,
    message:
      site === undefined
        ? 'This browser does not report the origin of its requests. Use a current version of Chrome, Edge, Firefox or Safari.'
        : 'Requests are accepted only from the studio’s own page. Enter its address in the browser instead of following a link.',
  };
}

const isDocument = ({ method, headers }: RequestOrigin): boolean =>
  method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
