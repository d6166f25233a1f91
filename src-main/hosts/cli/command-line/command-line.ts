import { Command, CommanderError, Option } from 'commander';
import { UsageError, usageExitCode } from '#main/hosts/cli/options/exit-codes.ts';
import { readCount } from '#main/hosts/cli/options/json-argument.ts';
import { printLine, printNote, tolerateClosedOutput } from '#main/hosts/cli/output/terminal.ts';
import { onLockWait } from '#main/journal/lock-wait.ts';
import { version } from '#main/version.ts';
import { toTransferable } from '#shared/run/error.ts';
import {
  type Answer,
  assertRemote,
  collect,
  consenting,
  driving,
  eventOrder,
  holdSeconds,
  maxSteps,
  onFolder,
  onServer,
  stepNumber,
  stopping,
  supplying,
} from './command-options.ts';
import { defineConversationCommands } from './conversation-commands.ts';
import { defineModelCommands } from './model-commands.ts';
import { defineSecurityCommands } from './security-commands.ts';
import { defineServerCommands } from './server-commands.ts';
import { defineTimeTravel } from './time-travel-commands.ts';

/** Runs one `pravah` command and returns its exit code. Each command's code is loaded when it is called. */
export async function runCommandLine(words: readonly string[]): Promise<number> {
  tolerateClosedOutput();
  printLockWait();
  let exitCode = 0;
  const program = defineCommands((code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync(words, { from: 'user' });
    return exitCode;
  } catch (error) {
    return printError(error);
  }
}

/** Loads the commands that work on a server. Throws `UsageError` for options that only make sense on this machine. */
async function remote(options: object): Promise<typeof import('#main/hosts/cli/remote/remote-commands.ts')> {
  assertRemote(options);
  return import('#main/hosts/cli/remote/remote-commands.ts');
}

/** Prints a notice the first time the command waits for the journal. */
function printLockWait(): void {
  let printed = false;
  onLockWait(() => {
    if (!printed) printNote('Waiting for the journal: another process is writing to it.');
    printed = true;
  });
}

function printError(error: unknown): number {
  // Commander has already printed the error; asking for help is not an error.
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
    .description('draw, run and debug typed agent flows; without a command, open the studio')
    .version(version, '--version', 'print the version')
    .exitOverride()
    .configureOutput({ writeOut: (text) => printLine(text.trimEnd()), writeErr: (text) => printNote(text.trimEnd()) })
    .enablePositionalOptions()
    .argument('[folder]', 'folder to open in the studio')
    .action(async (folder: string | undefined) => answer(await (await import('#main/hosts/cli/commands/open.ts')).open(folder)));

  onFolder(program.command('validate <flow>').description('check a flow and print its problems and soundness'))
    .option('--trust', 'trust this folder permanently')
    .action(async (flow, options) => answer(await (await import('#main/hosts/cli/commands/validate.ts')).validate(flow, options)));

  supplying(stopping(driving(program.command('run <flow>').description('run a flow until it ends, suspends or reaches --max-steps'))))
    .option('--input <json>', 'input state: JSON, @FILE or - (standard input)')
    .addOption(eventOrder())
    .addOption(holdSeconds())
    .option('--message <text>', 'short for --input with {"message": TEXT}')
    .option('--session <run>', 'continue the session of a finished run of a PyFlow workflow')
    .option('--model <model>', 'model for all agents, or NODE=URL for one (repeatable)', collect, [])
    .addOption(maxSteps())
    .addOption(onServer())
    .action(async (flow, options) =>
      answer(
        options.on === undefined
          ? await (await import('#main/hosts/cli/commands/run.ts')).run(flow, options)
          : await (await remote(options)).run(flow, options),
      ),
    );

  supplying(stopping(driving(program.command('resume <run>').description('answer a suspended run and continue it'))))
    .requiredOption('--tool-id <id>', 'tool ID to answer, as printed by the run')
    .option('--call <id>', 'tool call ID to answer, if several are pending')
    .requiredOption('--payload <json>', 'answer: JSON, @FILE or - (standard input)')
    .addOption(maxSteps())
    .addOption(onServer())
    .action(async (run, options) =>
      answer(
        options.on === undefined
          ? await (await import('#main/hosts/cli/commands/on-run.ts')).resume(run, options)
          : await (await remote(options)).resume(run, options),
      ),
    );

  supplying(stopping(driving(program.command('step <run>').description('execute the next steps of a run'))))
    .addOption(new Option('--count <n>', 'number of steps (default: 1)').argParser(readCount))
    .addOption(onServer())
    .action(async (run, options) =>
      answer(
        options.on === undefined
          ? await (await import('#main/hosts/cli/commands/on-run.ts')).step(run, options)
          : await (await remote(options)).goOnFor(run, options.count ?? 1, options),
      ),
    );

  supplying(stopping(driving(program.command('continue <run>').description('continue a run until it ends, suspends or is paused'))))
    .addOption(eventOrder())
    .addOption(maxSteps())
    .addOption(onServer())
    .action(async (run, options) =>
      answer(
        options.on === undefined
          ? await (await import('#main/hosts/cli/commands/on-run.ts')).continueRun(run, options)
          : await (await remote(options)).goOnFor(run, options.maxSteps, options),
      ),
    );

  onFolder(
    program
      .command('import <file>')
      .description('turn a PyFlow workflow, or an export of Dify, Langflow, n8n, LangGraph or Agent Builder, into a flow'),
  )
    .option('-o, --out <file>', 'flow to write (default: NAME.flow.yaml beside the workflow)')
    .option('--unattended', 'do not ask before tools write, in a trusted folder')
    .addOption(new Option('--dialect <dialect>', 'version of PyFlow whose rules apply').choices(['seed', 'latest']))
    .option('--update', 'bring an earlier import up to date')
    .action(async (file, options) => answer(await (await import('#main/hosts/cli/commands/import.ts')).importFile(file, options)));

  onFolder(program.command('export [flow]').description('print the diagram of a flow, or the agent card of a workflow'))
    .addOption(
      new Option('--format <format>', 'what to print').choices(['a2a-card', 'mermaid', 'dot', 'svg'] as const).default('a2a-card' as const),
    )
    .addOption(new Option('--depth <n>', 'levels of nested flows to draw (default: 1)').argParser(readCount))
    .option('--check <file>', 'check the diagrams of a Markdown file')
    .option('--write <file>', 'update the diagrams of a Markdown file')
    .option('--url <url>', 'address of the server that runs the flow')
    .option('-o, --out <file>', 'file to write (default: standard output)')
    .action(async (flow, options) => answer(await (await import('#main/hosts/cli/commands/export-flow.ts')).exportFlow(flow, options)));

  supplying(
    stopping(driving(program.command('debug <flow-or-run>').description('debug a run line by line; commands come from standard input'))),
  )
    .addOption(holdSeconds())
    .option('--input <json>', 'input state: JSON or @FILE')
    .action(async (target, options) => answer(await (await import('#main/hosts/cli/commands/debug.ts')).debug(target, options)));

  supplying(consenting(program.command('dap').description('debug flows from an editor: speak the Debug Adapter Protocol')))
    .option('--port <n>', 'listen on a port of this machine instead of standard input')
    .action(async (options) => answer(await (await import('#main/hosts/dap/dap.ts')).dap(options)));

  onFolder(program.command('cancel <run>').description('cancel a run permanently'))
    .addOption(onServer())
    .action(async (run, options) =>
      answer(
        options.on === undefined
          ? await (await import('#main/hosts/cli/commands/cancel.ts')).cancel(run, options)
          : await (await remote(options)).cancel(run, options),
      ),
    );

  onFolder(program.command('runs').description('list runs, newest first'))
    .addOption(new Option('--limit <n>', 'maximum number of runs (default: 100)').argParser(readCount))
    .addOption(onServer())
    .action(async (options) =>
      answer(
        options.on === undefined
          ? await (await import('#main/hosts/cli/commands/runs.ts')).runs(options)
          : await (await remote(options)).runs(options),
      ),
    );

  onFolder(program.command('show <run>').description('show a run, or its states after a step'))
    .addOption(stepNumber())
    .addOption(onServer())
    .action(async (run, options) =>
      answer(
        options.on === undefined
          ? await (await import('#main/hosts/cli/commands/runs.ts')).show(run, options)
          : await (await remote(options)).show(run, options),
      ),
    );

  const mcp = program.command('mcp').description('list what MCP servers offer and approve their tools');
  onFolder(mcp.command('list').description('start the MCP servers and list their tools'))
    .option('--trust', 'trust this folder permanently')
    .action(async (options) => answer(await (await import('#main/hosts/cli/commands/mcp.ts')).list(options)));
  onFolder(mcp.command('approve <server> [tools...]').description('approve tools of a server (default: all)'))
    .option('--trust', 'trust this folder permanently')
    .action(async (server, tools, options) =>
      answer(await (await import('#main/hosts/cli/commands/mcp.ts')).approve(server, tools, options)),
    );
  onFolder(mcp.command('resources <server>').description('start a server and list what it offers to read'))
    .option('--trust', 'trust this folder permanently')
    .action(async (server, options) => answer(await (await import('#main/hosts/cli/commands/mcp.ts')).resources(server, options)));
  onFolder(mcp.command('prompts <server>').description('start a server and list its prompts'))
    .option('--trust', 'trust this folder permanently')
    .action(async (server, options) => answer(await (await import('#main/hosts/cli/commands/mcp.ts')).prompts(server, options)));

  defineModelCommands(program, answer);
  defineConversationCommands(program, answer);
  defineSecurityCommands(program, answer);
  defineServerCommands(program, answer);
  defineTimeTravel(program, answer);

  program
    .command('version')
    .description('print the version')
    .option('--json', 'print JSON')
    .option('--folder <dir>', 'ignored')
    .action((options) => printLine(options.json ? JSON.stringify({ version }) : version));
  return program;
}
