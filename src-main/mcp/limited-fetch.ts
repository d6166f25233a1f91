/** Bytes of one message of a server, as with the SDK's stdio transport. */
export const LARGEST_MESSAGE = 10 * 1024 * 1024;

/**
 * `fetch` for a server's HTTP endpoint, whose answers end with an error once a message in them grows too large: in a stream of events that
 * is a line, in any other answer the whole. `onTooLarge` is told then: who reads a stream may only take it up again. Cookies and credentials
 * of this machine play no part.
 */
export function limitedFetch(onTooLarge: () => void): (url: string | URL, init?: RequestInit) => Promise<Response> {
  return async (url, init) => {
    const response = await fetch(url, { ...init, credentials: 'omit' });
    if (!response.body) return response;
    const byLine = (response.headers.get('content-type') ?? '').startsWith('text/event-stream');
    const { status, statusText, headers } = response;
    const limited = new Response(response.body.pipeThrough(limit(byLine, onTooLarge)), { status, statusText, headers });
    // The transport tells redirects by these, and a made response has neither.
    return Object.defineProperties(limited, { url: { value: response.url }, redirected: { value: response.redirected } });
  };
}

const LINE_END = 0x0a;

function limit(byLine: boolean, onTooLarge: () => void): TransformStream<Uint8Array, Uint8Array> {
  let length = 0;
  return new TransformStream({
    transform(chunk, controller) {
      const lineEnd = byLine ? chunk.lastIndexOf(LINE_END) : -1;
      length = lineEnd < 0 ? length + chunk.length : chunk.length - lineEnd - 1;
      if (length <= LARGEST_MESSAGE) return controller.enqueue(chunk);
      controller.error(new Error(`the server sent a message of more than ${LARGEST_MESSAGE / 1024 / 1024} MiB`));
      onTooLarge();
    },
  });
}
