/** Bytes of one message of a server, as with the SDK's stdio transport. */
export const LARGEST_MESSAGE = 10 * 1024 * 1024;

/**
 * `fetch` for a server's HTTP endpoint, whose answers end with an error once a message in them grows too large: in a stream of events that
 * is a line, in any other answer the whole. Cookies and credentials of this machine play no part.
 */
export async function limitedFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, { ...init, credentials: 'omit' });
  if (!response.body) return response;
  const byLine = (response.headers.get('content-type') ?? '').startsWith('text/event-stream');
  const { status, statusText, headers } = response;
  const limited = new Response(response.body.pipeThrough(limit(byLine)), { status, statusText, headers });
  // The transport tells redirects by these, and a made response has neither.
  return Object.defineProperties(limited, { url: { value: response.url }, redirected: { value: response.redirected } });
}

const LINE_END = 0x0a;

function limit(byLine: boolean): TransformStream<Uint8Array, Uint8Array> {
  let length = 0;
  return new TransformStream({
    transform(chunk, controller) {
      const lineEnd = byLine ? chunk.lastIndexOf(LINE_END) : -1;
      length = lineEnd < 0 ? length + chunk.length : chunk.length - lineEnd - 1;
      if (length > LARGEST_MESSAGE)
        controller.error(new Error(`the server sent a message of more than ${LARGEST_MESSAGE / 1024 / 1024} MiB`));
      else controller.enqueue(chunk);
    },
  });
}
