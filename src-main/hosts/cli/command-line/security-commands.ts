import type { Command } from 'commander';
import { type Answer, collect, onFolder } from './command-options.ts';

/** Defines `pravah capabilities`, `pravah permissions …` and `pravah secret …`. */
export function defineSecurityCommands(program: Command, answer: Answer): void {
  onFolder(program.command('capabilities <flow>').description('list the models, hosts, commands and files a flow can use'))
    .option('--trust', 'trust this folder permanently')
    .action(async (flow, options) => answer(await (await import('#main/hosts/cli/commands/capabilities.ts')).capabilities(flow, options)));

  const permissions = program.command('permissions').description('list and revoke permanent permissions');
  onFolder(permissions.command('list').description('list permissions of all folders or one folder')).action(async (options) =>
    answer(await (await import('#main/hosts/cli/commands/permissions.ts')).list(options)),
  );
  onFolder(permissions.command('withdraw').description('revoke permissions of the folder named by --folder'))
    .option('--trust', 'revoke trust')
    .option('--flow <path>', 'revoke consent to a flow (repeatable)', collect, [])
    .option('--server <name>', 'revoke approval of an MCP server’s tools (repeatable)', collect, [])
    .option('--all', 'revoke all permissions of the folder')
    .action(async (options) => answer(await (await import('#main/hosts/cli/commands/permissions.ts')).revoke(options)));

  const secret = program.command('secret').description('manage encrypted secrets that tools send as {secret:NAME}');
  secret
    .command('set <name>')
    .description('store a secret read from standard input')
    .option('--host <host>', 'host or host:port that may receive it (repeatable)', collect, [])
    .action(async (name, options) => answer(await (await import('#main/hosts/cli/commands/secrets.ts')).set(name, options)));
  secret
    .command('remove <name>')
    .description('delete a secret')
    .action(async (name) => answer(await (await import('#main/hosts/cli/commands/secrets.ts')).remove(name)));
  secret
    .command('list')
    .description('list secret names and their hosts')
    .option('--json', 'print JSON')
    .action(async (options) => answer(await (await import('#main/hosts/cli/commands/secrets.ts')).list(options)));
}
