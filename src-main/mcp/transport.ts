import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { LastWords } from '#main/mcp/last-words.ts';
import { LARGEST_MESSAGE, limitedFetch } from '#main/mcp/limited-fetch.ts';
import type { McpServerSettings } from '#main/workspace/settings.ts';
import { secretPlaceholder } from '#shared/flow/capabilities/tool-capabilities.ts';
import { FlowError } from '#shared/runtime/error.ts';

export interface ServerPlace {
  /** The workspace, in which a server's program is started. */
  readonly folder: string;
  /** Variables of the workspace's `.env`, for `{secret:NAME}`. */
  readonly secrets: Readonly<Record<string, string>>;
}

/** The way to a server, not opened yet. `lastWords` fills with what a program prints on standard error. */
export interface ServerTransport {
  readonly transport: Transport;
  readonly lastWords: LastWords;
  /** The program's process, where it must be told to end; null where the transport does so. */
  pid(): number | null;
}

/**
 * Makes the way to a server. A program gets the variables that its settings name, and of this process's environment only those without which
 * programs do not start (HOME, LOGNAME, PATH, SHELL, TERM, USER). Throws `FlowError` `BuildError` for a secret that is not there.
 */
export async function makeTransport(name: string, settings: McpServerSettings, place: ServerPlace): Promise<ServerTransport> {
  const lastWords = new LastWords();
  const filled = (values: Readonly<Record<string, string>>) => fillSecrets(name, values, place.secrets);
  if ('url' in settings) {
    const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
    const requestInit = { headers: filled(settings.headers) };
    // Redirects stay on the server's own origin: that is the transport's default, and it keeps the headers from strangers.
    const transport: Transport = new StreamableHTTPClientTransport(new URL(settings.url), {
      requestInit,
      fetch: limitedFetch(() => void transport.close()),
    });
    return { transport, lastWords, pid: () => null };
  }
  const { command, args } = settings;
  const program = { command, args, env: filled(settings.env), cwd: place.folder };
  if (process.platform !== 'win32') {
    const { ProgramTransport } = await import('#main/mcp/program-transport.ts');
    const onErrorOutput = (chunk: Buffer) => lastWords.add(chunk);
    return { transport: new ProgramTransport({ ...program, largestMessage: LARGEST_MESSAGE, onErrorOutput }), lastWords, pid: () => null };
  }
  // Finds `npx` and other scripts of Windows, which has no process groups: only the program itself is ended there.
  const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js');
  const transport = new StdioClientTransport({ ...program, stderr: 'pipe', maxBufferSize: LARGEST_MESSAGE });
  transport.stderr?.on('data', (chunk: Buffer) => lastWords.add(chunk));
  return { transport, lastWords, pid: () => transport.pid };
}

function fillSecrets(
  server: string,
  values: Readonly<Record<string, string>>,
  secrets: Readonly<Record<string, string>>,
): Record<string, string> {
  const fill = (value: string) =>
    value.replace(secretPlaceholder, (_reference, secret: string) => {
      const found = Object.hasOwn(secrets, secret) ? secrets[secret] : undefined;
      if (found !== undefined) return found;
      throw new FlowError('BuildError', `The MCP server ${server} needs the secret ${secret}. Write ${secret}=… into the folder's .env.`, {
        code: 'CONFIG_SECRET_MISSING',
        details: { server, secret },
      });
    });
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, fill(value)]));
}
