import { text } from 'node:stream/consumers';
import { exitCodes, UsageError } from '#main/hosts/cli/options/exit-codes.ts';
import { readHidden } from '#main/hosts/cli/options/read-hidden.ts';
import { alignedRows, printLine, printNote } from '#main/hosts/cli/output/terminal.ts';
import { fileCipher } from '#main/models/keys/key-cipher.ts';
import { KeyStore } from '#main/models/keys/key-store.ts';
import { listSecrets, removeSecret, setSecret } from '#main/models/keys/stored-secrets.ts';

const store = new KeyStore(fileCipher);

/** `pravah secret set NAME --host H`: the secret comes from standard input, never from the command line, which other users can see. */
export async function set(name: string, { host }: { readonly host: readonly string[] }): Promise<number> {
  if (host.length === 0) throw new UsageError('secret set needs --host HOST: the host that may receive the secret.');
  const value = process.stdin.isTTY ? await readHidden(`${name} for ${host.join(', ')}: `) : await text(process.stdin);
  await setSecret(store, name, value, host, Date.now());
  printNote(`Stored. Flows in trusted folders may send {secret:${name}} to ${host.join(', ')}.`);
  return exitCodes.success;
}

/** `pravah secret remove NAME`. */
export async function remove(name: string): Promise<number> {
  if (await removeSecret(store, name)) return exitCodes.success;
  printNote(`No secret ${name} is stored. List the stored secrets with: pravah secret list.`);
  return exitCodes.error;
}

/** `pravah secret list`: prints names and hosts, never values. */
export async function list({ json }: { readonly json?: boolean }): Promise<number> {
  const secrets = await listSecrets(store);
  if (json) for (const secret of secrets) printLine(JSON.stringify(secret));
  else for (const line of alignedRows(secrets.map(({ name, hosts }) => [name, hosts.join(', ')]))) printLine(line);
  if (!json && secrets.length === 0) printNote('No secrets are stored.');
  return exitCodes.success;
}
