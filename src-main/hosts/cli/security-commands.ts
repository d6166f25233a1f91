import type { Command } from 'commander';
import { type Answer, collect, onFolder } from '#main/hosts/cli/command-options.ts';

/** `pravah capabilities` and `pravah secret …`: what a flow can reach, and the secrets that its tools may send. */
export function defineSecurityCommands(program: Command, answer: Answer): void {
  onFolder(program.command('capabilities <flow>').description('tell what a flow can reach: models, hosts, commands, files, code'))
    .option('--trust', 'trust the folder from now on')
    .action(async (flow, options) => answer(await (await import('./commands/capabilities.ts')).capabilities(flow, options)));

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
