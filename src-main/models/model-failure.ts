import type { JsonObject } from '#shared/json.ts';
import { FlowError } from '#shared/run/error.ts';

/** The error for an unavailable model. */
export function unavailable(message: string, details: JsonObject = {}): FlowError {
  return new FlowError('AgentError', message, { code: 'INFERENCE_MODEL_UNAVAILABLE', retryable: false, details });
}

/** The error for a schema that the provider does not support. */
export function schemaRefused(message: string): FlowError {
  return new FlowError('AgentError', message, { code: 'CONFIG_SCHEMA_UNSUPPORTED', category: 'configuration', retryable: false });
}

/** The error for a grammar when the provider supports none. */
export function grammarRefused(model: string): FlowError {
  return new FlowError('AgentError', `${model} does not support grammars. Use an output schema instead, or a llama:// model.`, {
    code: 'CONFIG_GRAMMAR_UNSUPPORTED',
    category: 'configuration',
    retryable: false,
  });
}

/** An error response of a provider. */
export interface RefusedRequest {
  readonly status: number;
  /** The vendor's message, shortened, with keys masked. */
  readonly message: string;
  /** Seconds until the vendor accepts a retry. */
  readonly retry_after?: number;
}

/** Vendors share no code for a conversation that is too long; these are their messages. */
const tooLong =
  /context[_ ](length|window|size)|maximum context|prompt is too long|too many (input )?tokens|input token count|exceeds? the (available )?context|request too large/i;

/** Converts an error response to pagantic's codes, with advice. */
export function refusalFailure(model: string, refused: RefusedRequest): FlowError {
  const { status, message, retry_after } = refused;
  const details = { status, vendor_message: message, ...(retry_after !== undefined && { retry_after }) };
  const fail = (code: string, text: string, retryable: boolean) =>
    new FlowError('AgentError', `${model} ${text} The provider says (${status}): ${message}`, { code, retryable, details });
  if ((status === 400 || status === 413 || status === 422 || status === 500) && tooLong.test(message)) {
    return fail(
      'INFERENCE_CONTEXT_EXCEEDED',
      'rejected the conversation because it is too long. Shorten the prompt or set the agent’s context.',
      false,
    );
  }
  if (status === 401 || status === 403)
    return fail('INFERENCE_MODEL_UNAVAILABLE', 'rejected the key. Check the key and its permissions.', false);
  if (status === 404) return fail('INFERENCE_MODEL_UNAVAILABLE', 'was not found. Check the model’s name and the endpoint.', false);
  if (status === 429) return fail('INFERENCE_MODEL_UNAVAILABLE', 'is rate limited. Try again later.', true);
  if (status >= 500 || status === 408) return fail('INFERENCE_MODEL_UNAVAILABLE', 'is temporarily unavailable. Try again later.', true);
  if (status >= 300 && status < 400) {
    return fail(
      'INFERENCE_MODEL_UNAVAILABLE',
      'redirects requests to another address. Redirects are not followed; use the target address itself.',
      false,
    );
  }
  return fail('INFERENCE_ENGINE_ERROR', 'rejected the request.', false);
}
