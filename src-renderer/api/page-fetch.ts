import { httpPort } from '#shared/contract/http-port.ts';
import { type HttpExchange, linesOf } from '#shared/contract/http-text-port.ts';

/** Thrown when the host refuses this page: its token is unknown or expired. */
export class PageRefused extends Error {
  override readonly name = 'PageRefused';
}

/** POSTs with the page's token. Throws `PageRefused`, or what `fetch` throws when the host does not respond. */
export async function postWithToken(path: string, token: string, init: Pick<RequestInit, 'body' | 'signal'> = {}): Promise<Response> {
  const response = await fetch(path, { method: 'POST', headers: { [httpPort.tokenHeader]: token }, ...init });
  if (response.status === 401) throw new PageRefused('The studio no longer recognizes this page.');
  if (!response.ok) throw new Error(`The studio responded to ${path} with status ${response.status}.`);
  return response;
}

/** The requests of a port to the web host, made with the page's token. */
export function pageExchange(token: string): HttpExchange {
  return {
    async open(path) {
      const abort = new AbortController();
      const response = await postWithToken(path, token, { signal: abort.signal });
      return { lines: linesOf(textOf(response)), cancel: () => abort.abort() };
    },
    async send(path, body) {
      await postWithToken(path, token, { body });
    },
  };
}

/** The text of a response as it arrives. Does not use `for await` over the body, which needs Chromium 124. */
async function* textOf(response: Response): AsyncGenerator<string, void> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) yield piece.value;
}
