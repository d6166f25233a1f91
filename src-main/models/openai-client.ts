import type OpenAI from 'openai';
import { optionalPackage } from '#main/platform/optional-package.ts';
import type { Connection } from './vendor.ts';

/** OpenAI's own client for an endpoint, also for other servers with its protocol. */
export async function openAiClient({ endpoint, http }: Connection): Promise<OpenAI> {
  const { default: Client } = await optionalPackage('openai', 'openai:// and genai://', () => import('openai'));
  return new Client({
    // Without a key, the resulting header is not sent.
    apiKey: endpoint.key ?? 'none',
    baseURL: endpoint.base_url,
    fetch: http.fetch,
    maxRetries: 0,
    logLevel: 'off',
  });
}

/** Names of all models of the endpoint. */
export async function openAiNames(client: OpenAI): Promise<string[]> {
  const names: string[] = [];
  for await (const { id } of client.models.list()) names.push(id);
  return names;
}
