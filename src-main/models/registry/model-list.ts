import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { vendorEndpoint } from '#main/models/endpoint.ts';
import { unavailable } from '#main/models/model-failure.ts';
import { ModelHttp } from '#main/models/model-http.ts';
import { openAiClient, openAiNames } from '#main/models/openai-client.ts';
import { connectionFailure } from '#main/models/provider-client.ts';
import type { ProviderSource } from '#main/models/provider-source.ts';
import { serviceConnection } from '#main/models/providers/genai.ts';
import { listOllama } from '#main/models/providers/ollama.ts';
import type { Connection } from '#main/models/vendor.ts';
import type { ListedModel } from '#shared/contract/models.ts';
import { isHosted, ollamaDefault, providers } from '#shared/flow/providers.ts';
import { vendors } from './vendors.ts';

/** Lists the models that a provider offers now, by name. `provider` is a vendor, `ollama`, `llama`, or a service. Throws `AgentError`. */
export async function listModels(provider: string, source: ProviderSource, signal: AbortSignal): Promise<ListedModel[]> {
  const listed = await modelsOf(provider, source, signal);
  return listed.sort((one, other) => one.name.localeCompare(other.name));
}

async function modelsOf(provider: string, source: ProviderSource, signal: AbortSignal): Promise<ListedModel[]> {
  if (isHosted(provider)) {
    const vendor = vendors[provider];
    const endpoint = await vendorEndpoint(`${vendor.name}://`, vendor.name, providers[provider], await source.keySources());
    return namesFrom(`${vendor.name}://`, { endpoint, http: new ModelHttp(endpoint, signal, source.timing) }, vendor.list);
  }
  if (provider === 'llama') return localFiles(source);
  if (provider === 'ollama') {
    const { environment } = await source.keySources();
    const { host, port } = ollamaAddress(environment.OLLAMA_HOST);
    return namesFrom(`ollama://${host}:${port}/`, ollamaConnection(host, port, source, signal), listOllama);
  }
  const connection = await serviceConnection(`genai://${provider}/`, provider, source, signal);
  return namesFrom(`genai://${provider}/`, connection, async (each) => openAiNames(await openAiClient(each)));
}

async function namesFrom(
  prefix: string,
  connection: Connection,
  list: (connection: Connection) => Promise<string[]>,
): Promise<ListedModel[]> {
  try {
    return (await list(connection)).map((name) => ({ url: `${prefix}${name}`, name }));
  } catch (error) {
    throw connectionFailure(prefix, connection.http, error) ?? error;
  }
}

function ollamaConnection(host: string, port: number, source: ProviderSource, signal: AbortSignal): Connection {
  const endpoint = { base_url: `http://${host}:${port}`, key: null, from_workspace: true };
  return { endpoint, http: new ModelHttp(endpoint, signal, source.timing) };
}

/** The server in `OLLAMA_HOST`, which Ollama itself also uses as its listen address. */
export function ollamaAddress(named: string | undefined): { readonly host: string; readonly port: number } {
  if (!named) return ollamaDefault;
  const url = URL.parse(/^https?:\/\//.test(named) ? named : `http://${named}`);
  if (!url) throw unavailable('OLLAMA_HOST is not a valid address. Write it like 127.0.0.1:11434.');
  const host = url.hostname === '0.0.0.0' ? '127.0.0.1' : url.hostname;
  return { host, port: Number(url.port || ollamaDefault.port) };
}

/** The files that the user chose and, in a trusted folder, those in it and in its folder `models`. */
async function localFiles({ folder, trusted, user }: ProviderSource): Promise<ListedModel[]> {
  const chosen = user.files.map((path) => ({ url: `llama://${path}`, name: path }));
  if (!trusted) return chosen;
  const places = await Promise.all(['', 'models'].map((place) => modelFilesIn(folder, place)));
  return [...chosen, ...places.flat().map((path) => ({ url: `llama://${path}`, name: path }))];
}

async function modelFilesIn(folder: string, place: string): Promise<string[]> {
  const names = await readdir(join(folder, place)).catch(() => []);
  const files = names.filter((name) => name.toLowerCase().endsWith('.gguf')).map((name) => (place ? `${place}/${name}` : name));
  const kept = await Promise.all(
    files.map((file) =>
      stat(join(folder, file)).then(
        (info) => info.isFile(),
        () => false,
      ),
    ),
  );
  return files.filter((_file, index) => kept[index]);
}
