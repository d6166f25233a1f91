import { text } from 'node:stream/consumers';
import { checkedServer, KnownServers } from '#main/connections/known-servers.ts';
import { serverStatus } from '#main/connections/server-connection.ts';
import { exitCodes } from '#main/hosts/cli/options/exit-codes.ts';
import { readHidden } from '#main/hosts/cli/options/read-hidden.ts';
import { alignedRows, printLine, printNote } from '#main/hosts/cli/output/terminal.ts';
import { fileCipher } from '#main/models/keys/key-cipher.ts';
import { KeyStore } from '#main/models/keys/key-store.ts';

const servers = new KnownServers(new KeyStore(fileCipher));

/** `pravah server add NAME URL`: the token comes from standard input, never from the command line, which other users can see. */
export async function add(name: string, url: string): Promise<number> {
  const server = checkedServer({ name, url });
  const token = (process.stdin.isTTY ? await readHidden(`Token for ${server.url}: `) : await text(process.stdin)).trim();
  const { state, problem, scopes } = await serverStatus(server, token);
  if (state !== 'ok') {
    printNote(problem);
    return exitCodes.error;
  }
  await servers.add(server, token, Date.now());
  printNote(`Added ${server.url} as “${name}”. The token may: ${scopes.join(', ')}.`);
  return exitCodes.success;
}

/** `pravah server list`: prints each server as it answers now. */
export async function list({ json }: { readonly json?: boolean }): Promise<number> {
  const known = await servers.list();
  const statuses = await Promise.all(known.map(({ token, ...server }) => serverStatus(server, token)));
  if (json) for (const status of statuses) printLine(JSON.stringify(status));
  else {
    const rows = statuses.map(({ name, url, problem, scopes }) => [name, url, problem || scopes.join(' ')]);
    for (const line of alignedRows(rows)) printLine(line);
    if (statuses.length === 0) printNote('No servers are stored. Add one with: pravah server add NAME URL.');
  }
  return exitCodes.success;
}

/** `pravah server remove NAME`: forgets a server and its token. */
export async function remove(name: string): Promise<number> {
  if (await servers.remove(name)) return exitCodes.success;
  printNote(`No server “${name}” is stored. List them with: pravah server list.`);
  return exitCodes.error;
}
