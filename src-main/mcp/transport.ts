import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { McpServerSettings } from '#main/workspace/settings.ts';
import { secretPlaceholder } from '#shared/flow/secret-placeholder.ts';
import { FlowError } from '#shared/run/error.ts';
import { largestMessage, limitedFetch } from './limited-fetch.ts';
import { StderrTail } from './stderr-tail.ts';

export interface ServerPlace {
  /** The workspace, which is the working directory of a server's program. */
  readonly folder: string;
  /** Variables of the workspace's `.env`, for `{secret:NAME}`. */
  readonly secrets: Readonly<Record<string, string>>;
}

/** A transport to a server, not opened yet. `stderrTail` collects the program's standard error output. */
export interface ServerTransport {
  readonly transport: Transport;
  readonly stderrTail: StderrTail;
  /** Id of a process that must be ended explicitly; null if the transport does so. */
  pid(): number | null;
}

/**
 * Creates the transport to a server. A program gets the variables in its settings and, of this process's environment, only those that programs
 * need to start (HOME, LOGNAME, PATH, SHELL, TERM, USER). Throws `FlowError` `BuildError` for a missing secret.
 */
export async function makeTransport(name: string, settings: McpServerSettings, place: ServerPlace): Promise<ServerTransport> {
  const stderrTail = new StderrTail();
  const filled = (values: Readonly<Record<string, string>>) => fillSecrets(name, values, place.secrets);
  if ('url' in settings) {
    const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
    const requestInit = { headers: filled(settings.headers) };
    // By default the transport follows redirects only within the server's origin, so the headers go nowhere else.
    const transport: Transport = new StreamableHTTPClientTransport(new URL(settings.url), {
      requestInit,
      fetch: limitedFetch(() => void transport.close()),
    });
    return { transport, stderrTail, pid: () => null };
  }
  const { command, args } = settings;
  const program = { command, args, env: filled(settings.env), cwd: place.folder };
  if (process.platform !== 'win32') {
    const { ProgramTransport } = await import('./program-transport.ts');
    const onErrorOutput = (chunk: Buffer) => stderrTail.add(chunk);
    return { transport: new ProgramTransport({ ...program, largestMessage, onErrorOutput }), stderrTail, pid: () => null };
  }
  // The SDK's transport finds `npx` and other scripts on Windows. There are no process groups, so only the program itself is ended.
  const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js');
  const transport = new StdioClientTransport({ ...program, stderr: 'pipe', maxBufferSize: largestMessage });
  transport.stderr?.on('data', (chunk: Buffer) => stderrTail.add(chunk));
  return { transport, stderrTail, pid: () => transport.pid };
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
      throw new FlowError('BuildError', `MCP server ${server} needs the secret ${secret}. Add ${secret}=… to the folder's .env.`, {
        code: 'CONFIG_SECRET_MISSING',
        details: { server, secret },
      });
    });
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, fill(value)]));
}
