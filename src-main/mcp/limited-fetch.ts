/** Maximum bytes of a server's message, as in the SDK's stdio transport. */
export const largestMessage = 10 * 1024 * 1024;

/**
 * `fetch` for a server's HTTP endpoint. A response fails once a message in it is too large: in an event stream a line, otherwise the whole
 * body. `onTooLarge` is called then, because the reader of a stream would just reconnect. Sends no cookies or credentials of this machine.
 */
export function limitedFetch(onTooLarge: () => void): (url: string | URL, init?: RequestInit) => Promise<Response> {
  return async (url, init) => {
    const response = await fetch(url, { ...init, credentials: 'omit' });
    if (!response.body) return response;
    const byLine = (response.headers.get('content-type') ?? '').startsWith('text/event-stream');
    const { status, statusText, headers } = response;
    const limited = new Response(response.body.pipeThrough(limit(byLine, onTooLarge)), { status, statusText, headers });
    // The transport detects redirects by these fields, which a constructed response does not have.
    return Object.defineProperties(limited, { url: { value: response.url }, redirected: { value: response.redirected } });
  };
}

const lineFeed = 0x0a;

function limit(byLine: boolean, onTooLarge: () => void): TransformStream<Uint8Array, Uint8Array> {
  let length = 0;
  return new TransformStream({
    transform(chunk, controller) {
      const lineEnd = byLine ? chunk.lastIndexOf(lineFeed) : -1;
      length = lineEnd < 0 ? length + chunk.length : chunk.length - lineEnd - 1;
      if (length <= largestMessage) return controller.enqueue(chunk);
      controller.error(new Error(`the server sent a message larger than ${largestMessage / 1024 / 1024} MiB`));
      onTooLarge();
    },
  });
}
