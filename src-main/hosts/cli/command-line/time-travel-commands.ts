import { type Command, Option } from 'commander';
import { readCount } from '#main/hosts/cli/options/json-argument.ts';
import { type Answer, collect, currentFlow, driving, onFolder, readPercent, readStep, stepNumber, supplying } from './command-options.ts';

/** Defines the commands that work on recorded runs: fork, replay, diff, restore, export-run and test. */
export function defineTimeTravel(program: Command, answer: Answer): void {
  driving(program.command('fork <run>').description('create a new run from a step of another run'))
    .addOption(stepNumber().makeOptionMandatory())
    .option('--set <name=json>', 'replace a state: NAME=JSON, NAME=@FILE or NAME=-', collect, [])
    .option('--drop <name>', 'drop a state', collect, [])
    .addOption(currentFlow())
    .option('--check', 'only check whether the fork is valid')
    .option('--run', 'continue the fork until it ends or suspends')
    .action(async (run, options) => answer(await (await import('#main/hosts/cli/commands/fork.ts')).fork(run, options)));

  onFolder(program.command('replay <run>').description('replay recorded effects and print the first difference'))
    .addOption(currentFlow())
    .option('--trust', 'trust this folder permanently')
    .action(async (run, options) => answer(await (await import('#main/hosts/cli/commands/replay.ts')).replay(run, options)));

  onFolder(program.command('bisect <run>').description('find the commit since which a flow replays a run differently'))
    .requiredOption('--good <rev>', 'a commit whose flow replays the run the same')
    .requiredOption('--bad <rev>', 'a later commit whose flow does not')
    .option('--expect <expression>', 'instead, look for the output that fails this expression')
    .action(async (run, options) => answer(await (await import('#main/hosts/cli/commands/bisect.ts')).bisectCommand(run, options)));

  supplying(onFolder(program.command('matrix <run>').description('run variants of a run from a step and compare them')))
    .addOption(stepNumber())
    .option('--resume', 'run the unfinished variants of the matrix that RUN belongs to')
    .option('--model <url>', 'vary the model: URL, or NODE=URL (repeatable)', collect, [])
    .option('--prompt <node=text>', 'vary a prompt: NODE=TEXT or NODE=@FILE (repeatable)', collect, [])
    .option('--variants <json>', 'run these variants: JSON, @FILE or -')
    .addOption(new Option('--repeat <n>', 'run each variant N times').argParser(readCount))
    .addOption(currentFlow())
    .option('--yes', 'run them without asking')
    .option('--allow-command <name>', 'let tools run a program: NAME or "NAME ARG *" (repeatable)', collect, [])
    .option('--allow-host <host>', 'let tools reach a host; * for all public ones (repeatable)', collect, [])
    .option('--trust', 'trust this folder permanently, so that its code may run')
    .action(async (run, options) => answer(await (await import('#main/hosts/cli/commands/matrix.ts')).matrix(run, options)));

  onFolder(program.command('diff <run> <other>').description('compare two runs and print their differences'))
    .option('--all', 'also print identical steps')
    .action(async (run, other, options) => answer(await (await import('#main/hosts/cli/commands/diff.ts')).diff(run, other, options)));

  onFolder(program.command('lineage <run> <state>').description('print where a state, or STATE/PATH in it, came from'))
    .addOption(stepNumber())
    .option('--forward', 'print the steps that used it')
    .action(async (run, state, options) => answer(await (await import('#main/hosts/cli/commands/trace.ts')).lineage(run, state, options)));

  onFolder(program.command('find <run> <expression>').description('print the first step after which an expression is true'))
    .addOption(new Option('--from <n>', 'search after step N (default: 0)').argParser(readStep))
    .option('--back', 'search before it (default: from the end)')
    .action(async (run, expression, options) =>
      answer(await (await import('#main/hosts/cli/commands/trace.ts')).find(run, expression, options)),
    );

  onFolder(program.command('restore <run>').description('restore files written by a run to their state at a step'))
    .addOption(stepNumber())
    .option('--file <path>', 'restore only this file (repeatable)', collect, [])
    .option('--apply', 'restore the files (default: only print the changes)')
    .option('--overwrite', 'also restore files that were changed outside the run')
    .addOption(new Option('--undo <number>', 'undo restore NUMBER').argParser(readCount))
    .action(async (run, options) => answer(await (await import('#main/hosts/cli/commands/restore.ts')).restore(run, options)));

  onFolder(program.command('export-run <run>').description('export a run to a capsule file and print its contents'))
    .option('-o, --out <file>', 'output file; its name should end in .capsule.json')
    .option('--dry-run', 'print the contents without writing the file')
    .option('--redact <path>', 'mask a state, a path in it (State/path) or a JSON Pointer', collect, [])
    .option('--redact-text <text>', 'mask a text everywhere', collect, [])
    .action(async (run, options) => answer(await (await import('#main/hosts/cli/commands/export-run.ts')).exportRun(run, options)));

  onFolder(program.command('test [capsules...]').description('replay capsules with the current flows (default: all here)'))
    .option('--update', 'save different results as the new expectation')
    .option('--allow-supplied', 'accept runs that pins or mocks supplied')
    .option('--coverage', 'print which nodes and branches the capsules take')
    .addOption(new Option('--min <percent>', 'fail if the coverage of a flow is lower').argParser(readPercent))
    .option('--trust', 'trust this folder permanently')
    .action(async (capsules, options) => answer(await (await import('#main/hosts/cli/commands/test.ts')).test(capsules, options)));
}
