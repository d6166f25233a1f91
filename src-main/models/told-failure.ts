import { isJsonObject, type Json } from '#shared/json.ts';

/** A failure that a provider tells of inside an answer that it had begun with success. */
export class ToldFailure extends Error {}

/**
 * What a provider says of its own failure inside an answer that had begun with success; undefined where the failure is another one. OpenAI's and Anthropic's
 * clients keep it as `error`, Google's says it with the status that it stands for.
 */
export function toldFailure(error: unknown): string | undefined {
  if (error instanceof ToldFailure) return error.message;
  if (!(error instanceof Error)) return undefined;
  if (error.name === 'ApiError') return error.message;
  if (!('error' in error)) return undefined;
  const said = error.error as Json | undefined;
  const inner = isJsonObject(said) && isJsonObject(said.error) ? said.error : said;
  if (!isJsonObject(inner)) return typeof inner === 'string' ? inner : undefined;
  const words = [inner.type, inner.code, inner.message].filter((word) => typeof word === 'string' && word !== '');
  return words.length > 0 ? [...new Set(words)].join(': ') : JSON.stringify(inner);
}

/** Whether it may be different the next time: a server that is overloaded or broken, a limit of rate. */
export function isPassing(told: string): boolean {
  return /overload|rate.?limit|server.?error|internal|unavailable|capacity|try again|temporar|timeout/i.test(told);
}
