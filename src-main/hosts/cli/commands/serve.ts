import { exitCodes, UsageError } from '#main/hosts/cli/options/exit-codes.ts';
import { storeLocation } from '#main/hosts/cli/options/store-location.ts';
import { printLine, printNote } from '#main/hosts/cli/output/terminal.ts';
import { chooseWorkspace } from '#main/hosts/cli/session/workspace.ts';
import { serve as startServer } from '#main/hosts/server/serve.ts';

export interface ServeCommandOptions {
  readonly host: string;
  readonly port: number;
  readonly data?: string;
  readonly folder: readonly string[];
  readonly threads?: number;
  readonly allowOrigin: readonly string[];
  readonly publicUrl?: string;
  readonly insecureHttp?: boolean;
  readonly trustDeployments?: boolean;
  /** False with --no-migrate. */
  readonly migrate: boolean;
  readonly traceContent?: boolean;
  readonly rate: number;
  readonly grace: number;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

const loopback: ReadonlySet<string> = new Set(['127.0.0.1', '::1', 'localhost']);

/** `pravah serve`: offers the flows of folders over HTTP until it is ended by a signal. */
export async function serve(options: ServeCommandOptions): Promise<number> {
  const publicUrl = options.publicUrl === undefined ? null : readUrl(options.publicUrl, '--public-url');
  if (!loopback.has(options.host) && publicUrl?.protocol !== 'https:' && !options.insecureHttp)
    throw new UsageError(
      `With --host ${options.host} tokens would travel unencrypted. Put the server behind HTTPS and give its address with --public-url https://…, or allow it with --insecure-http.`,
    );
  const folders = options.folder.length > 0 ? options.folder : [await chooseWorkspace(undefined)];
  const server = await startServer({
    folders,
    ...storeLocation(options.data),
    migrate: options.migrate,
    trustDeployments: options.trustDeployments ?? false,
    host: options.host,
    port: options.port,
    allowOrigins: options.allowOrigin.map(readOrigin),
    publicUrl,
    rate: options.rate,
    threads: options.threads,
    grace: options.grace,
    telemetry: telemetryOf(options),
    log: (line) => {
      if (!options.quiet || line.level === 'error') printNote(JSON.stringify({ time: new Date().toISOString(), ...line }));
    },
  });
  if (options.json) printLine(JSON.stringify({ ready: true, url: server.url, taken_up: server.takenUp }));
  else printLine(`Serving ${folders.join(', ')} at ${server.url} (API: ${server.url}/swagger-ui/)`);
  if (server.takenUp > 0) printNote(`Continuing ${server.takenUp} ${server.takenUp === 1 ? 'run' : 'runs'} of the last server.`);
  if (server.needsToken) {
    const where = options.data === undefined ? '' : ` --data ${options.data}`;
    printNote(`There are no tokens yet. Make one with: pravah token create NAME --scope run${where}`);
  }
  await stopSignal();
  // A second signal ends the process at once; only steps in progress are lost.
  const again = () => process.exit(exitCodes.success);
  process.once('SIGTERM', again).once('SIGINT', again);
  await server.stop();
  return exitCodes.success;
}

/** Traces are exported if the environment names an endpoint. Throws `UsageError` for a protocol that is not supported. */
function telemetryOf({ traceContent = false }: ServeCommandOptions): { readonly content: boolean } | null {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: protocol } = process.env;
  if (!endpoint) {
    if (traceContent) throw new UsageError('--trace-content needs OTEL_EXPORTER_OTLP_ENDPOINT, the address of a collector.');
    return null;
  }
  if (protocol === 'grpc')
    throw new UsageError('OTEL_EXPORTER_OTLP_PROTOCOL=grpc is not supported. Use http/json and the HTTP port of the collector (4318).');
  readUrl(endpoint, 'OTEL_EXPORTER_OTLP_ENDPOINT');
  return { content: traceContent };
}

function stopSignal(): Promise<void> {
  return new Promise((stop) => {
    process.once('SIGTERM', () => stop());
    process.once('SIGINT', () => stop());
  });
}

function readUrl(text: string, option: string): URL {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new UsageError(`${option} needs an http or https address, not “${text}”.`);
  return new URL(text);
}

function readOrigin(text: string): string {
  const { origin, pathname } = readUrl(text, '--allow-origin');
  if (pathname !== '/') throw new UsageError(`--allow-origin needs an origin like https://example.com, not “${text}”.`);
  return origin;
}
