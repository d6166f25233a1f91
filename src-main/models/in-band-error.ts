import { isJsonObject, type Json } from '#shared/json.ts';

/** A failure that a provider reports inside a response with a success status. */
export class InBandError extends Error {}

/**
 * The message of a failure that a provider reported inside a response with a success status; undefined for other failures. OpenAI's and
 * Anthropic's clients expose it as `error`, Google's as an error with the corresponding status.
 */
export function inBandError(error: unknown): string | undefined {
  if (error instanceof InBandError) return error.message;
  if (!(error instanceof Error)) return undefined;
  if (error.name === 'ApiError') return error.message;
  if (!('error' in error)) return undefined;
  const said = error.error as Json | undefined;
  const inner = isJsonObject(said) && isJsonObject(said.error) ? said.error : said;
  if (!isJsonObject(inner)) return typeof inner === 'string' ? inner : undefined;
  const words = [inner.type, inner.code, inner.message].filter((word) => typeof word === 'string' && word !== '');
  return words.length > 0 ? [...new Set(words)].join(': ') : JSON.stringify(inner);
}

/** Whether a failure is transient: an overloaded or broken server, a rate limit. */
export function isTransient(message: string): boolean {
  return /overload|rate.?limit|server.?error|internal|unavailable|capacity|try again|temporar|timeout/i.test(message);
}
