import { type Command, Option } from 'commander';
import { readCount } from '#main/hosts/cli/options/json-argument.ts';
import { type Answer, collect } from './command-options.ts';

/** Defines `pravah serve`, `pravah mcp-serve`, `pravah migrate`, `pravah token …` and `pravah server …`. */
export function defineServerCommands(program: Command, answer: Answer): void {
  program
    .command('serve')
    .description('let other programs run the flows of folders over HTTP')
    .option('--folder <dir>', 'folder whose flows are served (repeatable; default: nearest folder with pravah.json)', collect, [])
    .option('--host <host>', 'address to listen on', '127.0.0.1')
    .addOption(new Option('--port <n>', 'port to listen on; 0 takes a free one').argParser(readPort).default(8080))
    .option('--data <dir>', 'folder for tokens and requests; :memory: keeps nothing (default: in the profile)')
    .addOption(new Option('--threads <n>', 'runs that are driven at once in a folder (default: cores plus two)').argParser(readCount))
    .option('--allow-origin <url>', 'origin whose pages may call the server (repeatable)', collect, [])
    .option('--public-url <url>', 'address under which callers reach the server')
    .option('--trust-deployments', 'let deployed flows run their own code, programs and MCP servers')
    .option('--trace-content', 'export the contents of messages and tool calls, too (OTEL_EXPORTER_OTLP_ENDPOINT)')
    .option('--no-migrate', 'refuse an outdated store instead of bringing it up to date')
    .option('--insecure-http', 'listen on other addresses than loopback without HTTPS')
    .addOption(new Option('--rate <n>', 'requests a second that one token may make').argParser(readCount).default(60))
    .addOption(
      new Option('--grace <seconds>', 'how long steps in progress may take when the server stops').argParser(readCount).default(25),
    )
    .option('--quiet', 'log errors only')
    .option('--json', 'print JSON')
    .action(async (options) => answer(await (await import('#main/hosts/cli/commands/serve.ts')).serve(options)));

  program
    .command('mcp-serve')
    .description('offer flows as tools to an MCP client, on standard input and output')
    .option('--folder <dir>', 'folder whose flows are offered (repeatable; default: nearest folder with pravah.json)', collect, [])
    .option('--flow <path>', 'offer only this flow (repeatable)', collect, [])
    .action(async (options) => answer(await (await import('#main/hosts/cli/commands/mcp-serve.ts')).mcpServe(options)));

  program
    .command('migrate')
    .description("bring the server's store up to date")
    .option('--data <dir>', 'data folder of the server (default: in the profile); DATABASE_URL names a PostgreSQL database instead')
    .option('--check', 'change nothing; exit code 1 if the store is not up to date')
    .action(async (options) => answer(await (await import('#main/hosts/cli/commands/migrate.ts')).migrate(options)));

  program
    .command('deploy <flows...>')
    .description('bundle flows with what they need, and put them on a server')
    .requiredOption('--on <server>', 'server of “pravah server add”')
    .option('--as <name>', 'name of the flow on the server (default: that of its file)')
    .option('--dry-run', 'check the flow on the server and store nothing')
    .option('--allow-unsound', 'also deploy a flow that is not proven sound')
    .option('--trust', 'trust this folder permanently, so that flows in code can be bundled')
    .option('--folder <dir>', 'workspace (default: nearest folder with pravah.json)')
    .option('--json', 'print JSON')
    .action(async (flows, options) => answer(await (await import('#main/hosts/cli/commands/deploy.ts')).deploy(flows, options)));

  const token = program.command('token').description('manage the tokens with which programs call the server');
  onData(token.command('create <name>').description('create a token and print it once'))
    .option('--scope <scope>', 'what it may do: read, run, approve, manage, admin (repeatable; default: read and run)', collect, [])
    .option('--expires <time>', 'days or hours until it expires, like 90d or 12h (default: never)')
    .action(async (name, options) => answer(await (await import('#main/hosts/cli/commands/token.ts')).create(name, options)));
  onData(token.command('list').description('list tokens, newest first')).action(async (options) =>
    answer(await (await import('#main/hosts/cli/commands/token.ts')).list(options)),
  );
  onData(token.command('revoke <id>').description('revoke a token')).action(async (id, options) =>
    answer(await (await import('#main/hosts/cli/commands/token.ts')).revoke(id, options)),
  );

  const server = program.command('server').description('manage the servers that --on names and whose runs the studio shows');
  server
    .command('add <name> <url>')
    .description('add a server; its token is read from standard input')
    .action(async (name, url) => answer(await (await import('#main/hosts/cli/commands/servers.ts')).add(name, url)));
  server
    .command('list')
    .description('list the servers and what their tokens allow')
    .option('--json', 'print JSON')
    .action(async (options) => answer(await (await import('#main/hosts/cli/commands/servers.ts')).list(options)));
  server
    .command('remove <name>')
    .description('forget a server and its token')
    .action(async (name) => answer(await (await import('#main/hosts/cli/commands/servers.ts')).remove(name)));
}

function onData(command: Command): Command {
  return command.option('--data <dir>', 'data folder of the server (default: in the profile)').option('--json', 'print JSON');
}

function readPort(text: string): number {
  return text === '0' ? 0 : readCount(text);
}
