import { StandardOpenAPIHandler } from '@orpc/openapi/standard';
import type { apiRouter, RequestContext } from './api-router.ts';
import { RequestProblem } from './problems.ts';

/** A request whose body was read. */
export interface ApiRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: unknown;
  readonly signal: AbortSignal;
}

export interface ApiAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined: none. */
  readonly body: unknown;
}

export type AnswerApi = (request: ApiRequest, context: RequestContext) => Promise<ApiAnswer>;

/** Answers requests of the contract. `allowed`: the methods of a path. */
export function apiHandler(router: ReturnType<typeof apiRouter>, allowed: (path: string) => readonly string[]): AnswerApi {
  const handler = new StandardOpenAPIHandler(router, { customErrorResponseBodyEncoder: (error) => error.data });
  return async ({ method, url, headers, body, signal }, context) => {
    const result = await handler.handle({ method, url, headers, body: async () => body, signal }, { context });
    if (!result.matched) {
      const methods = allowed(url.pathname);
      if (methods.length > 0)
        throw new RequestProblem(405, 'METHOD_NOT_ALLOWED', `Use ${methods.join(' or ')} here.`, {
          headers: { allow: methods.join(', ') },
        });
      throw new RequestProblem(404, 'NOT_FOUND', `There is nothing at ${url.pathname}. The API is described at /openapi.json.`);
    }
    const { status, headers: answered, body: content } = result.response;
    return { status, headers: Object.fromEntries(Object.entries(answered).map(([name, value]) => [name, String(value)])), body: content };
  };
}
