import { Command, CommanderError, Option } from 'commander';
import { type Answer, collect, driving, maxSteps, onFolder, stepNumber } from '#main/hosts/cli/command-options.ts';
import { UsageError, usageExitCode } from '#main/hosts/cli/exit-codes.ts';
import { readCount } from '#main/hosts/cli/json-argument.ts';
import { defineModelCommands } from '#main/hosts/cli/model-commands.ts';
import { defineSecurityCommands } from '#main/hosts/cli/security-commands.ts';
import { printLine, printNote, tolerateClosedOutput } from '#main/hosts/cli/terminal.ts';
import { defineTimeTravel } from '#main/hosts/cli/time-travel-commands.ts';
import { onLockWait } from '#main/journal/lock-wait.ts';
import { version } from '#main/version.ts';
import { toTransferable } from '#shared/runtime/error.ts';

/** Runs one command of `pravah` and answers with the exit code. Each command's code is loaded when it is called. */
export async function runCommandLine(words: readonly string[]): Promise<number> {
  tolerateClosedOutput();
  tellLockWait();
  let exitCode = 0;
  const program = defineCommands((code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync(words, { from: 'user' });
    return exitCode;
  } catch (error) {
    return tellFailure(error);
  }
}

/** Says once that the command waits for the journal. */
function tellLockWait(): void {
  let told = false;
  onLockWait(() => {
    if (!told) printNote('Waiting for the journal: another process is writing to it.');
    told = true;
  });
}

function tellFailure(error: unknown): number {
  // Commander has said what is wrong; asking for help is no mistake.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : usageExitCode;
  if (error instanceof UsageError) {
    printNote(error.message);
    return usageExitCode;
  }
  const failure = toTransferable(error);
  printNote(`${failure.variant}  ${failure.message}`);
  if (process.env.PRAVAH_DEBUG && error instanceof Error) printNote(error.stack ?? '');
  return failure.category === 'configuration' ? usageExitCode : 1;
}

function defineCommands(answer: Answer): Command {
  const program = new Command('pravah')
    .description('Draw, run and debug typed agent flows. Without a command: open the studio.')
    .version(version, '--version', 'print the version')
    .exitOverride()
    .configureOutput({ writeOut: (text) => printLine(text.trimEnd()), writeErr: (text) => printNote(text.trimEnd()) })
    .enablePositionalOptions()
    .argument('[folder]', 'folder to open in the studio')
    .action(async (folder: string | undefined) => answer(await (await import('./commands/open.ts')).open(folder)));

  onFolder(program.command('validate <flow>').description('tell all problems of a flow, and the soundness proof'))
    .option('--trust', 'trust the folder from now on')
    .action(async (flow, options) => answer(await (await import('./commands/validate.ts')).validate(flow, options)));

  driving(program.command('run <flow>').description('start a run and drive it to its end, a suspension or --max-steps'))
    .option('--input <json>', 'the entry state: JSON, @FILE, or - for standard input')
    .option('--model <model>', 'a model for this run: URL for all agents, NODE=URL for one; may be repeated', collect, [])
    .addOption(maxSteps())
    .action(async (flow, options) => answer(await (await import('./commands/run.ts')).run(flow, options)));

  driving(program.command('resume <run>').description('answer what a run waits for, and go on'))
    .requiredOption('--tool-id <id>', 'what is answered, as the run says it')
    .option('--call <id>', 'the very call that is answered')
    .requiredOption('--payload <json>', 'the answer: JSON, @FILE, or - for standard input')
    .addOption(maxSteps())
    .action(async (run, options) => answer(await (await import('./commands/on-run.ts')).resume(run, options)));

  driving(program.command('step <run>').description('make transitions of a run'))
    .addOption(new Option('--count <n>', 'how many').argParser(readCount))
    .action(async (run, options) => answer(await (await import('./commands/on-run.ts')).step(run, options)));

  driving(program.command('continue <run>').description('drive a run on to its end, a suspension or --max-steps'))
    .addOption(maxSteps())
    .action(async (run, options) => answer(await (await import('./commands/on-run.ts')).goOn(run, options)));

  onFolder(program.command('cancel <run>').description('cancel a run for good')).action(async (run, options) =>
    answer(await (await import('./commands/cancel.ts')).cancel(run, options)),
  );

  onFolder(program.command('runs').description('list the runs of a folder, newest first'))
    .addOption(new Option('--limit <n>', 'how many').argParser(readCount))
    .action(async (options) => answer(await (await import('./commands/runs.ts')).runs(options)));

  onFolder(program.command('show <run>').description('show a run, or the states after one of its steps'))
    .addOption(stepNumber())
    .action(async (run, options) => answer(await (await import('./commands/runs.ts')).show(run, options)));

  const mcp = program.command('mcp').description("the folder's MCP servers, and which of their tools you have approved");
  onFolder(mcp.command('list').description('start the servers and show what they offer'))
    .option('--trust', 'trust the folder from now on')
    .action(async (options) => answer(await (await import('./commands/mcp.ts')).list(options)));
  onFolder(
    mcp.command('approve <server> [tools...]').description('approve tools as the server describes them now, all unless some are named'),
  )
    .option('--trust', 'trust the folder from now on')
    .action(async (server, tools, options) => answer(await (await import('./commands/mcp.ts')).approve(server, tools, options)));

  defineModelCommands(program, answer);
  defineSecurityCommands(program, answer);
  defineTimeTravel(program, answer);

  program
    .command('version')
    .description('print the version')
    .option('--json', 'print JSON')
    .option('--folder <dir>', 'taken and ignored')
    .action((options) => printLine(options.json ? JSON.stringify({ version }) : version));
  return program;
}
