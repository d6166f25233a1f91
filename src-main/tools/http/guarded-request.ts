import { lookup as systemLookup } from 'node:dns';
import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { isIP, type LookupFunction } from 'node:net';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { assertNotCancelled } from '#main/platform/assert-not-cancelled.ts';
import { traceHeaders } from '#main/platform/trace-context.ts';
import { ToolError } from '#shared/run/error.ts';
import { type HostRules, plainHost } from './host-rules.ts';

export interface HttpCall {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly rules: HostRules;
  /** The request contains a secret that was entered for this address, so redirects to other addresses are blocked. */
  readonly stays?: boolean;
  /** Resolves all addresses of a host; default: the system resolver. */
  readonly lookup?: (host: string) => Promise<readonly string[]>;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Final URL after redirects. */
  readonly url: URL;
}

/** An ordinary failure: no connection, timeout, response too large. */
export class HttpFailure extends Error {}

const mostRedirects = 5;
/** Size limit in bytes of a response, compressed and decompressed. */
const mostBytes = 8 * 1024 * 1024;

/**
 * Makes an HTTP request and follows redirects. Each address is checked before anything is sent to it, and the connection goes to the checked
 * IP address even if the name resolves differently a moment later. Throws ToolError `Denied` for a blocked address, otherwise `HttpFailure`.
 */
export async function guardedRequest(call: HttpCall): Promise<HttpAnswer> {
  const timer = new AbortController();
  const timeout = setTimeout(() => timer.abort(), call.timeoutMs);
  const cancel = () => timer.abort();
  call.signal.addEventListener('abort', cancel, { once: true });
  if (call.signal.aborted) cancel();
  try {
    return await follow(call, timer.signal);
  } catch (error) {
    assertNotCancelled(call.signal);
    if (timer.signal.aborted) throw new HttpFailure(`no response within ${call.timeoutMs / 1000} s`);
    throw error;
  } finally {
    clearTimeout(timeout);
    call.signal.removeEventListener('abort', cancel);
  }
}

async function follow(first: HttpCall, signal: AbortSignal): Promise<HttpAnswer> {
  let call = first;
  for (let redirects = 0; ; redirects++) {
    call.rules.checkUrl(call.url);
    const address = await judgedAddress(call);
    if (signal.aborted) throw new HttpFailure('the request was cancelled');
    const answer = await exchange(call, address, signal);
    const next = redirected(call, answer);
    if (!next) return answer;
    if (redirects === mostRedirects) throw new HttpFailure(`more than ${mostRedirects} redirects`);
    call = next;
  }
}

/** The address to connect to. If any address of the host is blocked, the host is blocked. */
async function judgedAddress({ url, rules, lookup = lookUp }: HttpCall): Promise<string> {
  const host = plainHost(url);
  const addresses = isIP(host) ? [host] : await lookup(host);
  for (const address of addresses) rules.checkAddress(url, address);
  const [address] = addresses;
  if (address === undefined) throw new HttpFailure(`the host ${host} has no address`);
  return address;
}

async function lookUp(host: string): Promise<readonly string[]> {
  try {
    return (await promisify(systemLookup)(host, { all: true, verbatim: true })).map(({ address }) => address);
  } catch {
    throw new HttpFailure(`the host ${host} cannot be found`);
  }
}

async function exchange(call: HttpCall, address: string, signal: AbortSignal): Promise<HttpAnswer> {
  // Loaded lazily: importing `node:http` also loads Node's fetch, which a run without requests never needs.
  const { request: send } = await (call.url.protocol === 'https:' ? import('node:https') : import('node:http'));
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(error instanceof HttpFailure ? error : new HttpFailure(error.message));
    let request: ClientRequest;
    try {
      // No agent: a later call, never checked, could reuse a pooled connection.
      request = send(call.url, { method: call.method, headers: headersOf(call), agent: false, lookup: always(address), signal });
    } catch (error) {
      return fail(error as Error);
    }
    request.on('error', fail);
    request.on('response', (response) => {
      readBody(response).then(
        (body) => resolve({ status: response.statusCode ?? 0, headers: plainHeaders(response), body, url: call.url }),
        fail,
      );
    });
    request.end(call.body);
  });
}

function headersOf({ headers, body }: HttpCall): OutgoingHttpHeaders {
  return {
    'user-agent': 'pravah-studio',
    accept: '*/*',
    'accept-encoding': 'gzip, deflate, br',
    ...traceHeaders(),
    ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
    ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
  };
}

function always(address: string): LookupFunction {
  const family = isIP(address);
  return (_host, options, found) => (options.all ? found(null, [{ address, family }]) : found(null, address, family));
}

async function readBody(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > mostBytes) {
      response.destroy();
      throw new HttpFailure(`the response is larger than ${mostBytes / 1024 / 1024} MiB`);
    }
    chunks.push(chunk);
  }
  const bytes = await unpack(Buffer.concat(chunks), response.headers['content-encoding']);
  return decoder(response.headers['content-type']).decode(bytes);
}

async function unpack(bytes: Buffer, encoding: string | undefined): Promise<Buffer> {
  const limit = { maxOutputLength: mostBytes };
  try {
    switch (encoding?.trim().toLowerCase()) {
      case 'gzip':
      case 'x-gzip':
        return await promisify<Buffer, typeof limit, Buffer>(gunzip)(bytes, limit);
      case 'deflate':
        return await promisify<Buffer, typeof limit, Buffer>(inflate)(bytes, limit);
      case 'br':
        return await promisify<Buffer, typeof limit, Buffer>(brotliDecompress)(bytes, limit);
      default:
        return bytes;
    }
  } catch (error) {
    const tooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    throw new HttpFailure(
      tooLarge ? `the decompressed response is larger than ${mostBytes / 1024 / 1024} MiB` : 'the response cannot be decompressed',
    );
  }
}

function decoder(contentType: string | undefined): InstanceType<typeof TextDecoder> {
  const charset = /charset\s*=\s*"?([^\s;"]+)/i.exec(contentType ?? '')?.[1];
  try {
    return new TextDecoder(charset ?? 'utf-8');
  } catch {
    return new TextDecoder();
  }
}

function plainHeaders(response: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  );
}

/** The call that a redirect asks for (RFC 9110, 15.4); null for any other response. */
function redirected(call: HttpCall, answer: HttpAnswer): HttpCall | null {
  const { location } = answer.headers;
  if (![301, 302, 303, 307, 308].includes(answer.status) || !location) return null;
  if (!URL.canParse(location, call.url.href)) throw new HttpFailure('the response redirects to an invalid URL');
  const url = new URL(location, call.url);
  if (call.stays && url.origin !== call.url.origin) {
    throw new ToolError(
      'Denied',
      `${call.url.origin} redirects to ${url.origin}. A secret that was entered for the first is not sent to the second.`,
      {
        details: { host: url.host },
      },
    );
  }
  const keepsMethod = answer.status === 307 || answer.status === 308 || call.method === 'GET' || call.method === 'HEAD';
  const headers = withoutHeaders(call.headers, (name) => {
    // The author's body and headers were meant for the first host only.
    if (url.origin !== call.url.origin && name !== 'accept' && name !== 'content-type') return true;
    return !keepsMethod && name.startsWith('content-');
  });
  return { ...call, url, headers, ...(keepsMethod ? {} : { method: 'GET', body: undefined }) };
}

function withoutHeaders(headers: Readonly<Record<string, string>>, drops: (name: string) => boolean): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !drops(name.toLowerCase())));
}
