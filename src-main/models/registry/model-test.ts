import type { ModelClients } from '#main/engine/ports/model-client.ts';
import type { ModelTest } from '#shared/contract/models.ts';
import { toTransferable } from '#shared/run/error.ts';

/** Time limit of a test in milliseconds, including loading a local model. */
const patience = 60_000;

/** Enough for a word, and the minimum that some models accept. */
const maxTokens = 16;

/** Sends a small request to a model and reports the result. Never throws. */
export async function testModel(url: string, clients: ModelClients, now: () => number): Promise<ModelTest> {
  const began = now();
  const signal = AbortSignal.timeout(patience);
  try {
    const client = await clients(url);
    const { usage } = await client.complete({
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Say OK.' }] }],
      tools: [],
      params: url.startsWith('script://') ? {} : { max_tokens: maxTokens },
      turn: 0,
      signal,
    });
    const duration_ms = now() - began;
    const tokens = usage.tokens_in + usage.tokens_out;
    return { ok: true, message: `${url} answered in ${(duration_ms / 1000).toFixed(1)} s.`, code: null, duration_ms, tokens };
  } catch (error) {
    const duration_ms = now() - began;
    if (signal.aborted) {
      const message = `${url} did not answer within ${patience / 1000} s.`;
      return { ok: false, message, code: 'CANCELLED_TIMEOUT', duration_ms, tokens: 0 };
    }
    const { message, code } = toTransferable(error);
    return { ok: false, message, code, duration_ms, tokens: 0 };
  }
}
