import type { Command } from 'commander';
import { UsageError } from '#main/hosts/cli/exit-codes.ts';

type Answer = (exitCode: number) => void;

/** `pravah models …` and `pravah key …`: where models are had, with whose keys, what they cost. */
export function defineModelCommands(program: Command, answer: Answer): void {
  const models = program.command('models').description('where models are had, and what they offer');
  onFolder(
    models.command('list [provider]', { isDefault: true }).description('list providers, or the models that one of them offers now'),
  ).action(async (provider, options) => answer(await (await import('./commands/models.ts')).list(provider, options)));
  onFolder(models.command('test <model>').description('make one small request of a model, named by its URL')).action(
    async (model, options) => answer(await (await import('./commands/models.ts')).test(model, options)),
  );
  models
    .command('add <file>')
    .description('allow a GGUF file to be loaded as llama://FILE, wherever it lies')
    .action(async (file) => answer(await (await import('./commands/models.ts')).add(file)));
  models
    .command('remove <file>')
    .description('allow a GGUF file no more')
    .action(async (file) => answer(await (await import('./commands/models.ts')).remove(file)));
  models
    .command('service <name> [address]')
    .description('add a service that speaks OpenAI’s protocol, as genai://NAME/MODEL; without an address: remove it')
    .action(async (name, address) => answer(await (await import('./commands/models.ts')).service(name, address)));
  models
    .command('default <model>')
    .description('the model that new agents begin with; “none” for none')
    .action(async (model) => answer(await (await import('./commands/models.ts')).setDefault(model)));
  models
    .command('price <model> [input] [output]')
    .description('what a million tokens in and out cost, in your currency; without figures: forget it')
    .action(async (model, input, output) => {
      const figures = input === undefined ? null : { input: price(input), output: price(output) };
      answer(await (await import('./commands/models.ts')).setModelPrice(model, figures));
    });

  const key = program.command('key').description('keys of model providers, sealed in your profile');
  onEndpoint(key.command('set <provider>').description('store a key, read from standard input')).action(async (provider, options) =>
    answer(await (await import('./commands/keys.ts')).set(provider, options)),
  );
  onEndpoint(key.command('remove <provider>').description('forget a key')).action(async (provider, options) =>
    answer(await (await import('./commands/keys.ts')).remove(provider, options)),
  );
  key
    .command('list')
    .description('list the endpoints that keys are stored for; never a key')
    .option('--json', 'print JSON')
    .action(async (options) => answer(await (await import('./commands/keys.ts')).list(options)));
}

function onFolder(command: Command): Command {
  return command.option('--folder <dir>', 'the workspace (default: the nearest folder with pravah.json)').option('--json', 'print JSON');
}

function onEndpoint(command: Command): Command {
  return command.option('--endpoint <address>', 'the only address that the key is for (default: the one that the provider has now)');
}

function price(text: string | undefined): number {
  const figure = Number(text ?? Number.NaN);
  if (!Number.isFinite(figure) || figure < 0) throw new UsageError('price: two figures of 0 or more: for a million tokens in, and out.');
  return figure;
}
