import { httpPort } from '#shared/contract/http-port.ts';
import { Listeners, type TextPort } from '#shared/contract/text-port.ts';

/** The host answered, and will not have this page: its token is not (or no longer) known. Trying again is of no use. */
export class PageRefused extends Error {
  override readonly name = 'PageRefused';
}

/** Sends with the page's token. Throws `PageRefused`, or what `fetch` throws when nobody answers. */
export async function postWithToken(
  path: string,
  token: string,
  init: { readonly body?: string; readonly signal?: AbortSignal } = {},
): Promise<Response> {
  const response = await fetch(path, { method: 'POST', headers: { [httpPort.tokenHeader]: token }, ...init });
  if (response.status === 401) throw new PageRefused('The studio does not know this page any more.');
  if (!response.ok) throw new Error(`The studio answered ${path} with ${response.status}.`);
  return response;
}

/** Opens a port to the web host: one answer that goes on carries messages here, requests carry them there, one at a time and in order. */
export async function openHttpPort(token: string): Promise<TextPort> {
  const abort = new AbortController();
  const response = await postWithToken(httpPort.openPath, token, { signal: abort.signal });
  const lines = linesOf(response);
  const opened = await lines.next();
  if (opened.done) throw new Error('The studio ended the connection at once.');
  const sendPath = httpPort.sendPrefix + (JSON.parse(opened.value) as { port: string }).port;
  const listeners = new Listeners();
  const close = () => {
    abort.abort();
    listeners.close();
  };

  let queue: string[] = [];
  let sending = false;
  const flush = async () => {
    if (sending) return;
    sending = true;
    while (queue.length > 0 && !listeners.closed) {
      const messages = queue;
      queue = [];
      await postWithToken(sendPath, token, { body: JSON.stringify(messages), signal: abort.signal }).catch(close);
    }
    sending = false;
  };
  const receive = async () => {
    for await (const line of lines) listeners.emit('message', { data: JSON.parse(line) as string });
  };
  receive().then(close, close);

  return {
    postMessage(text) {
      queue.push(text);
      void flush();
    },
    on: (event, listener) => listeners.add(event, listener),
    close,
  };
}

async function* linesOf(response: Response): AsyncGenerator<string, undefined> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read()) {
    const lines = (rest + chunk.value).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}
