import { type Command, Option } from 'commander';
import { readCount } from '#main/hosts/cli/options/json-argument.ts';
import { type Answer, onFolder } from './command-options.ts';

/** Defines `pravah conversations …`. */
export function defineConversationCommands(program: Command, answer: Answer): void {
  const commands = () => import('#main/hosts/cli/commands/conversations.ts');
  const conversations = program.command('conversations').description('list and manage the conversations that agents keep');
  onFolder(conversations.command('list', { isDefault: true }).description('list conversations, most recently used first')).action(
    async (options) => answer(await (await commands()).list(options)),
  );
  onFolder(conversations.command('show <key>').description('print a conversation or a branch'))
    .addOption(new Option('--last <n>', 'print only the last N entries').argParser(readCount))
    .action(async (key, options) => answer(await (await commands()).show(key, options)));
  onFolder(conversations.command('release <key>').description('take a conversation away from the run that holds it')).action(
    async (key, options) => answer(await (await commands()).release(key, options)),
  );
  onFolder(conversations.command('drop <key>').description('empty a conversation; its runs keep what they have read')).action(
    async (key, options) => answer(await (await commands()).drop(key, options)),
  );
  onFolder(conversations.command('erase <key>').description('remove a conversation and the runs that took part in it'))
    .option('--yes', 'remove them (default: only print the runs)')
    .action(async (key, options) => answer(await (await commands()).erase(key, options)));
  onFolder(conversations.command('export <key>').description('export a conversation as JSON'))
    .option('-o, --out <file>', 'output file (default: standard output)')
    .addOption(new Option('--format <format>', 'format; openai is JSONL for fine-tuning').choices(['json', 'openai']).default('json'))
    .action(async (key, options) => answer(await (await commands()).exportTo(key, options)));
  onFolder(conversations.command('import <file>').description('add an exported conversation')).action(async (file, options) =>
    answer(await (await commands()).importFrom(file, options)),
  );
  onFolder(conversations.command('branches <key>').description('list the branches that forks have made')).action(async (key, options) =>
    answer(await (await commands()).branches(key, options)),
  );
  onFolder(conversations.command('adopt <branch>').description('make a branch the conversation')).action(async (branch, options) =>
    answer(await (await commands()).adopt(branch, options)),
  );
}
