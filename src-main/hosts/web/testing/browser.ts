import { type IncomingHttpHeaders, request } from 'node:http';
import { httpPort } from '#shared/contract/http-port.ts';

/** A response. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Question {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string;
}

/** Sends a request with exactly these headers, including `Host`, which `fetch` does not allow. */
export function ask(port: number, { method = 'GET', path, headers = {}, body }: Question): Promise<Answer> {
  const given = Object.fromEntries(Object.entries(headers).filter((entry) => entry[1] !== undefined)) as Record<string, string>;
  return new Promise((resolve, reject) => {
    const asking = request({ host: '127.0.0.1', port, path, method, headers: given, setHost: given.host === undefined }, (answer) => {
      const { statusCode = 0, headers } = answer;
      if (headers['content-type'] === 'application/x-ndjson') {
        // The response stays open; its first line confirms the port.
        answer.once('data', (line: Buffer) => {
          resolve({ status: statusCode, headers, body: line.toString() });
          answer.destroy();
        });
        return;
      }
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => resolve({ status: statusCode, headers, body: Buffer.concat(chunks).toString() }));
    });
    asking.on('error', reject);
    asking.end(body);
  });
}

/** Headers with which a browser loads a document that the user opened. */
export const openedByPerson = { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' } as const;

/** Cookie and token of a browser that has opened the studio. */
export interface OpenedPage {
  readonly cookie: string;
  readonly token: string;
  /** Headers of a call from this page. */
  readonly callHeaders: Readonly<Record<string, string>>;
}

/** Opens the studio's address as a browser would, and reads cookie and token. */
export async function openPage(port: number, url: string): Promise<OpenedPage> {
  const { pathname, search } = new URL(url);
  const answer = await ask(port, { path: pathname + search, headers: openedByPerson });
  const token = new RegExp(`<meta name="${httpPort.tokenMeta}" content="([^"]+)">`).exec(answer.body)?.[1];
  const cookie = answer.headers['set-cookie']?.[0]?.split(';')[0];
  if (token === undefined || cookie === undefined) throw new Error(`the page was not given: ${answer.status} ${answer.body}`);
  const callHeaders = { origin: `http://127.0.0.1:${port}`, 'sec-fetch-site': 'same-origin', [httpPort.tokenHeader]: token, cookie };
  return { cookie, token, callHeaders };
}
