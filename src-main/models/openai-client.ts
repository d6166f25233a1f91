import type OpenAI from 'openai';
import type { Connection } from '#main/models/vendor.ts';

/** OpenAI's own client for an endpoint, also for others that speak its protocol. */
export async function openAiClient({ endpoint, http }: Connection): Promise<OpenAI> {
  const { default: Client } = await import('openai');
  return new Client({
    // Where there is no key, the header that this makes is not sent.
    apiKey: endpoint.key ?? 'none',
    baseURL: endpoint.base_url,
    fetch: http.fetch,
    maxRetries: 0,
    logLevel: 'off',
  });
}

/** Names of all models that the endpoint offers. */
export async function openAiNames(client: OpenAI): Promise<string[]> {
  const names: string[] = [];
  for await (const { id } of client.models.list()) names.push(id);
  return names;
}
