import type { Command } from 'commander';
import { UsageError } from '#main/hosts/cli/options/exit-codes.ts';

type Answer = (exitCode: number) => void;

/** Defines `pravah models …` and `pravah key …`. */
export function defineModelCommands(program: Command, answer: Answer): void {
  const models = program.command('models').description('list, test and configure models');
  onFolder(models.command('list [provider]', { isDefault: true }).description('list providers, or the models of one provider')).action(
    async (provider, options) => answer(await (await import('#main/hosts/cli/commands/models.ts')).list(provider, options)),
  );
  onFolder(models.command('test <model>').description('send a small test request to a model URL')).action(async (model, options) =>
    answer(await (await import('#main/hosts/cli/commands/models.ts')).test(model, options)),
  );
  models
    .command('add <file>')
    .description('allow a GGUF file to be loaded as llama://FILE')
    .action(async (file) => answer(await (await import('#main/hosts/cli/commands/models.ts')).add(file)));
  models
    .command('remove <file>')
    .description('remove a GGUF file from the allowed list')
    .action(async (file) => answer(await (await import('#main/hosts/cli/commands/models.ts')).remove(file)));
  models
    .command('service <name> [address]')
    .description('add an OpenAI-compatible service; omit address to remove it')
    .action(async (name, address) => answer(await (await import('#main/hosts/cli/commands/models.ts')).service(name, address)));
  models
    .command('default <model>')
    .description('set the default model of new agents; “none” removes it')
    .action(async (model) => answer(await (await import('#main/hosts/cli/commands/models.ts')).setDefault(model)));
  models
    .command('price <model> [input] [output]')
    .description('set the price per million tokens; omit prices to remove it')
    .action(async (model, input, output) => {
      const figures = input === undefined ? null : { input: price(input), output: price(output) };
      answer(await (await import('#main/hosts/cli/commands/models.ts')).setModelPrice(model, figures));
    });

  const key = program.command('key').description('manage encrypted API keys of model providers');
  onEndpoint(key.command('set <provider>').description('store an API key read from standard input')).action(async (provider, options) =>
    answer(await (await import('#main/hosts/cli/commands/keys.ts')).set(provider, options)),
  );
  onEndpoint(key.command('remove <provider>').description('delete an API key')).action(async (provider, options) =>
    answer(await (await import('#main/hosts/cli/commands/keys.ts')).remove(provider, options)),
  );
  key
    .command('list')
    .description('list the endpoints that have stored keys')
    .option('--json', 'print JSON')
    .action(async (options) => answer(await (await import('#main/hosts/cli/commands/keys.ts')).list(options)));
}

function onFolder(command: Command): Command {
  return command.option('--folder <dir>', 'workspace (default: nearest folder with pravah.json)').option('--json', 'print JSON');
}

function onEndpoint(command: Command): Command {
  return command.option('--endpoint <address>', 'address the key is sent to (default: the provider’s)');
}

function price(text: string | undefined): number {
  const figure = Number(text ?? Number.NaN);
  if (!Number.isFinite(figure) || figure < 0)
    throw new UsageError('price takes two numbers of 0 or more: input and output price per million tokens.');
  return figure;
}
