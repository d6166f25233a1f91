import { z } from 'zod';
import { fileCipher } from '#main/models/keys/key-cipher.ts';
import { KeyStore } from '#main/models/keys/key-store.ts';
import type { KnownServer } from '#shared/contract/servers.ts';
import type { Json } from '#shared/json.ts';
import { FlowError, type FlowErrorVariant } from '#shared/run/error.ts';
import { KnownServers } from './known-servers.ts';

const problemSchema = z.object({
  detail: z.string(),
  error: z.object({ code: z.string(), variant: z.string().optional(), details: z.record(z.string(), z.json()).default({}) }),
});

/** What a status of the server is called among the errors of flows. */
const variantOfStatus: Readonly<Record<number, FlowErrorVariant>> = {
  404: 'NotFound',
  409: 'Conflict',
  422: 'Invalid',
  429: 'LimitExceeded',
};

export interface ServerRequest {
  readonly body?: Json;
  /** A bundle in place of JSON. */
  readonly bundle?: Uint8Array;
}

/** Calls a server of `pravah serve` with the user's token. */
export class ServerClient {
  readonly name: string;
  readonly #url: string;
  readonly #token: string;

  constructor({ name, url }: KnownServer, token: string) {
    this.name = name;
    this.#url = url;
    this.#token = token;
  }

  /** Returns the client of a server that the user has added. Throws `NotFound` also if its token can't be read here. */
  static async named(name: string): Promise<ServerClient> {
    const { token, ...server } = await new KnownServers(new KeyStore(fileCipher)).get(name);
    if (token !== null) return new ServerClient(server, token);
    throw new FlowError(
      'NotFound',
      `The token of “${name}” can't be read here. Enter it again with: pravah server add ${name} ${server.url}`,
    );
  }

  /** Throws `FlowError` with the server's reason if it refuses, or if it can't be reached. */
  async call<Answer>(schema: z.ZodType<Answer>, method: string, path: string, { body, bundle }: ServerRequest = {}): Promise<Answer> {
    const type = bundle ? 'application/zip' : body === undefined ? null : 'application/json';
    const response = await fetch(this.#url + path, {
      method,
      redirect: 'error',
      headers: { authorization: `Bearer ${this.#token}`, ...(type && { 'content-type': type }) },
      ...(bundle ? { body: new Uint8Array(bundle) } : body !== undefined && { body: JSON.stringify(body) }),
    }).catch((error: unknown) => {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
      throw new FlowError(
        'SnapStoreError',
        `The server ${this.name} (${this.#url}) can't be reached: ${cause}. Nothing is known of the request.`,
      );
    });
    const answer = await response.json().catch(() => null);
    if (response.ok) {
      const parsed = schema.safeParse(answer);
      if (parsed.success) return parsed.data;
      throw new FlowError(
        'Invalid',
        `The server ${this.name} gave an answer that this version does not understand. Is it the same version?`,
      );
    }
    const problem = problemSchema.safeParse(answer);
    if (!problem.success)
      throw new FlowError(
        'Invalid',
        `The server ${this.name} answered ${response.status} without a reason. Is ${this.#url} a server of pravah?`,
      );
    const { detail, error } = problem.data;
    throw new FlowError(variantOfStatus[response.status] ?? 'Invalid', detail, { code: error.code, details: error.details });
  }
}
