import { ORPCError } from '@orpc/server';
import { deploymentUntrusted, versionChanged } from '#main/server/flow-service.ts';
import { pageTokenInvalid } from '#main/server/page-token.ts';
import { tooManyRuns } from '#main/server/run-service.ts';
import type { Problem } from '#shared/contract/server/problem.ts';
import type { Json } from '#shared/json.ts';
import { FlowError, type FlowErrorVariant, ToolError, type TransferableError, toTransferable } from '#shared/run/error.ts';

/** A request that is refused before anything is done. `headers` are sent with the problem. */
export class RequestProblem extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: Readonly<Record<string, Json>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: string,
    message: string,
    { details = {}, headers = {} }: { details?: Readonly<Record<string, Json>>; headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
    this.headers = headers;
  }
}

const statusOfVariant: Partial<Record<FlowErrorVariant, number>> = {
  NotFound: 404,
  Conflict: 409,
  ResumeRequired: 409,
  UnexpectedResumption: 409,
  ResumeMismatchError: 409,
  Cancelled: 409,
  StateConflict: 409,
  DeserializeError: 422,
  Invalid: 422,
  BuildError: 422,
  SnapLoadError: 422,
  LimitExceeded: 429,
  SnapStoreError: 503,
};

const titles: Readonly<Record<number, string>> = {
  400: 'Invalid request',
  401: 'Token needed',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Method not allowed',
  406: 'Not acceptable',
  408: 'Request took too long',
  409: 'Conflict',
  412: 'Changed meanwhile',
  413: 'Request too large',
  415: 'Unsupported media type',
  421: 'Wrong host',
  422: 'Invalid content',
  429: 'Too many requests',
  431: 'Headers too large',
  500: 'Internal error',
  503: 'Not available',
};

/** Describes any thrown value to a caller. Of an unexpected error only the request's id is shown. */
export function problemOf(thrown: unknown, requestId: string): Problem {
  if (thrown instanceof RequestProblem) {
    const { status, code, message, details } = thrown;
    return problem(status, requestId, { code, message, details: { ...details } });
  }
  if (thrown instanceof ORPCError) return problemOfRoute(thrown, requestId);
  if (!(thrown instanceof FlowError || thrown instanceof ToolError)) return unexpected(requestId);
  const error = withoutStack(toTransferable(thrown));
  if (error.code === pageTokenInvalid) return problem(400, requestId, error);
  if (error.code === tooManyRuns) return problem(503, requestId, error);
  if (error.code === versionChanged) return problem(412, requestId, error);
  if (error.code === deploymentUntrusted) return problem(403, requestId, error);
  const status = thrown instanceof FlowError ? (statusOfVariant[thrown.variant] ?? 422) : 422;
  return problem(status, requestId, error);
}

function problemOfRoute(error: ORPCError<string, unknown>, requestId: string): Problem {
  const issues = issuesOf(error.data);
  if (error.status === 400 && issues) {
    const problems = issues.map(({ path, message }) => ({ path: `/${path.slice(1).join('/')}`, message }));
    const part = issues[0]?.path[0];
    const [status, what] = part === 'query' ? [400, 'The query'] : part === 'params' ? [404, 'The address'] : [422, 'The body'];
    const [first] = problems;
    const message = `${what} is not valid: ${first ? `${first.path} ${first.message}` : 'see details'}.`;
    return problem(status, requestId, { code: 'VALIDATION_REQUEST_INVALID', message, details: { problems } });
  }
  if (error.status >= 500) return unexpected(requestId);
  return problem(error.status, requestId, { code: error.code, message: error.message, details: {} });
}

interface Issue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

function issuesOf(data: unknown): readonly Issue[] | null {
  if (typeof data !== 'object' || data === null || !('issues' in data) || !Array.isArray(data.issues)) return null;
  return (data.issues as { path?: readonly unknown[]; message: string }[]).map(({ path = [], message }) => ({
    path: path.map((part) => String(typeof part === 'object' && part !== null && 'key' in part ? part.key : part)),
    message,
  }));
}

function unexpected(requestId: string): Problem {
  const message = `The server failed unexpectedly. Its log has the reason under ${requestId}.`;
  return problem(500, requestId, { code: 'INTERNAL_ERROR', message, details: {} });
}

function problem(
  status: number,
  requestId: string,
  error: TransferableError | { readonly code: string; readonly message: string; readonly details: Readonly<Record<string, Json>> },
): Problem {
  return {
    type: `urn:pravah:problem:${error.code.toLowerCase().replaceAll('_', '-')}`,
    title: titles[status] ?? 'Problem',
    status,
    detail: error.message,
    instance: requestId,
    error: { ...error, details: { ...error.details } },
  };
}

function withoutStack(error: TransferableError): TransferableError {
  const { stack: _stack, ...details } = error.details;
  return { ...error, details };
}
