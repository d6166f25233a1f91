import type { Command } from 'commander';
import { type Answer, collect, onFolder } from '#main/hosts/cli/command-options.ts';

/** `pravah capabilities`, `pravah permissions …` and `pravah secret …`: what a flow can reach, what you have allowed for good, and the secrets that tools may send. */
export function defineSecurityCommands(program: Command, answer: Answer): void {
  onFolder(program.command('capabilities <flow>').description('tell what a flow can reach: models, hosts, commands, files, code'))
    .option('--trust', 'trust the folder from now on')
    .action(async (flow, options) => answer(await (await import('./commands/capabilities.ts')).capabilities(flow, options)));

  const permissions = program.command('permissions').description('what you have allowed folders and their flows for good');
  onFolder(permissions.command('list').description('list what is allowed, in all folders or in one')).action(async (options) =>
    answer(await (await import('./commands/permissions.ts')).list(options)),
  );
  onFolder(permissions.command('withdraw').description('take back what was allowed in the folder that --folder names'))
    .option('--trust', 'trust the folder no more')
    .option('--flow <path>', 'ask about a flow before it runs again; may be repeated', collect, [])
    .option('--server <name>', 'approve no tool of an MCP server; may be repeated', collect, [])
    .option('--all', 'everything that was allowed in the folder')
    .action(async (options) => answer(await (await import('./commands/permissions.ts')).withdraw(options)));

  const secret = program.command('secret').description('secrets that tools may send as {secret:NAME}, sealed in your profile');
  secret
    .command('set <name>')
    .description('store a secret, read from standard input, for the hosts that it may be sent to')
    .option('--host <host>', 'a host (host or host:port) that it may be sent to; given once or more', collect, [])
    .action(async (name, options) => answer(await (await import('./commands/secrets.ts')).set(name, options)));
  secret
    .command('remove <name>')
    .description('forget a secret')
    .action(async (name) => answer(await (await import('./commands/secrets.ts')).remove(name)));
  secret
    .command('list')
    .description('list names and hosts; never a secret')
    .option('--json', 'print JSON')
    .action(async (options) => answer(await (await import('./commands/secrets.ts')).list(options)));
}
