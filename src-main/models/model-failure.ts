import type { JsonObject } from '#shared/json.ts';
import { FlowError } from '#shared/runtime/error.ts';

/** The failure of a model that cannot be had. */
export function unavailable(message: string, details: JsonObject = {}): FlowError {
  return new FlowError('AgentError', message, { code: 'INFERENCE_MODEL_UNAVAILABLE', retryable: false, details });
}

/** The failure of a schema that a model's provider cannot be told. */
export function schemaRefused(message: string): FlowError {
  return new FlowError('AgentError', message, { code: 'CONFIG_SCHEMA_UNSUPPORTED', category: 'configuration', retryable: false });
}

/** The failure of a grammar that a model's provider takes none of. */
export function grammarRefused(model: string): FlowError {
  return new FlowError('AgentError', `${model} takes no grammar; llama:// does. Give the output a schema instead, or use a local model.`, {
    code: 'CONFIG_GRAMMAR_UNSUPPORTED',
    category: 'configuration',
    retryable: false,
  });
}

/** An answer of the provider that was no success. */
export interface RefusedRequest {
  readonly status: number;
  /** What the vendor says, shortened; never a key. */
  readonly message: string;
  /** Seconds after which the vendor wants to be asked again. */
  readonly retry_after?: number;
}

/** Vendors have no code in common for a conversation that is too long; these are their words for it. */
const tooLong =
  /context[_ ](length|window|size)|maximum context|prompt is too long|too many (input )?tokens|input token count|exceeds? the (available )?context|request too large/i;

/** What a refused request means in pagantic's codes, and what to do about it. */
export function refusalFailure(model: string, refused: RefusedRequest): FlowError {
  const { status, message, retry_after } = refused;
  const details = { status, vendor_message: message, ...(retry_after !== undefined && { retry_after }) };
  const fail = (code: string, text: string, retryable: boolean) =>
    new FlowError('AgentError', `${model} ${text} The provider says (${status}): ${message}`, { code, retryable, details });
  if ((status === 400 || status === 413 || status === 422 || status === 500) && tooLong.test(message)) {
    return fail('INFERENCE_CONTEXT_EXCEEDED', 'cannot take so long a conversation. Shorten the prompt or set the agent’s context.', false);
  }
  if (status === 401 || status === 403) return fail('INFERENCE_MODEL_UNAVAILABLE', 'refuses the key. Check it, and what it may do.', false);
  if (status === 404) return fail('INFERENCE_MODEL_UNAVAILABLE', 'is not known there. Check the model’s name and the endpoint.', false);
  if (status === 429) return fail('INFERENCE_MODEL_UNAVAILABLE', 'takes no more requests for now. Try again later.', true);
  if (status >= 500 || status === 408) return fail('INFERENCE_MODEL_UNAVAILABLE', 'is out of order. Try again later.', true);
  if (status >= 300 && status < 400) {
    return fail(
      'INFERENCE_MODEL_UNAVAILABLE',
      'sends requests on to another address, which is not followed. Name that address itself.',
      false,
    );
  }
  return fail('INFERENCE_ENGINE_ERROR', 'refuses the request.', false);
}
