import { text } from 'node:stream/consumers';
import { exitCodes, UsageError } from '#main/hosts/cli/options/exit-codes.ts';
import { readHidden } from '#main/hosts/cli/options/read-hidden.ts';
import { alignedRows, printLine, printNote } from '#main/hosts/cli/output/terminal.ts';
import { fileCipher } from '#main/models/keys/key-cipher.ts';
import { isModelKey, KeyStore } from '#main/models/keys/key-store.ts';
import { providerSource } from '#main/models/registry/model-clients.ts';
import { modelsOverview } from '#main/models/registry/models-overview.ts';
import { modelSource } from './models.ts';

const store = new KeyStore(fileCipher);

/** `pravah key set PROVIDER`: the key comes from standard input, never from the command line, which other users can see. */
export async function set(provider: string, options: { readonly endpoint?: string }): Promise<number> {
  const endpoint = options.endpoint ?? (await endpointOf(provider));
  const key = process.stdin.isTTY ? await readHidden(`API key of ${provider} for ${endpoint}: `) : await text(process.stdin);
  await store.set({ provider, endpoint, key }, Date.now());
  const { warning } = await modelsOverview(providerSource(await modelSource(undefined)), store);
  printNote(`Stored for ${endpoint}. ${warning ?? ''}`);
  return exitCodes.success;
}

/** `pravah key remove PROVIDER`. */
export async function remove(provider: string, options: { readonly endpoint?: string }): Promise<number> {
  const endpoint = options.endpoint ?? (await endpointOf(provider));
  if (await store.remove(provider, endpoint)) return exitCodes.success;
  printNote(`No key of ${provider} is stored for ${endpoint}. List the stored keys with: pravah key list.`);
  return exitCodes.error;
}

/** `pravah key list`. */
export async function list(options: { readonly json?: boolean }): Promise<number> {
  const entries = (await store.list()).filter((entry) => isModelKey(entry));
  const readable = new Set((await store.keys()).map(({ provider, endpoint }) => `${provider} ${endpoint}`));
  if (options.json) for (const entry of entries) printLine(JSON.stringify(entry));
  else {
    const rows = entries.map(({ provider, endpoint, protection }) => [
      provider,
      endpoint,
      readable.has(`${provider} ${endpoint}`)
        ? ''
        : protection === 'keychain'
          ? 'in the desktop keychain; not available on the command line'
          : "can't be read",
    ]);
    for (const line of alignedRows(rows)) printLine(line);
    if (entries.length === 0) printNote('No keys are stored.');
  }
  return exitCodes.success;
}

/** Returns a provider's current address. Throws `UsageError` for an unknown provider. */
async function endpointOf(provider: string): Promise<string> {
  const { providers } = await modelsOverview(providerSource(await modelSource(undefined)), store);
  const found = providers.find(({ id, kind }) => id === provider && (kind === 'vendor' || kind === 'service'));
  if (found?.endpoint) return found.endpoint;
  const names = providers.filter(({ kind }) => kind === 'vendor' || kind === 'service').map(({ id }) => id);
  throw new UsageError(`Unknown provider ${provider}. Providers that take a key: ${names.join(', ')}. Others need --endpoint.`);
}
