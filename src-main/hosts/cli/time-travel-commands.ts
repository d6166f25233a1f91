import { type Command, Option } from 'commander';
import { type Answer, collect, currentFlow, driving, onFolder, stepNumber } from '#main/hosts/cli/command-options.ts';
import { readCount } from '#main/hosts/cli/json-argument.ts';

/** The commands that go back in runs: branching off, computing again, comparing, restoring files, taking along. */
export function defineTimeTravel(program: Command, answer: Answer): void {
  driving(program.command('fork <run>').description('make a new run that begins where a run stood after one of its steps'))
    .addOption(stepNumber().makeOptionMandatory())
    .option('--set <name=json>', 'give a state another value: NAME=JSON, NAME=@FILE or NAME=-', collect, [])
    .option('--drop <name>', 'leave a state behind', collect, [])
    .addOption(currentFlow())
    .option('--check', 'only tell what would not fit')
    .option('--run', 'drive the fork on to its end or a suspension')
    .action(async (run, options) => answer(await (await import('./commands/fork.ts')).fork(run, options)));

  onFolder(
    program.command('replay <run>').description('compute a run again from its recorded effects, and tell where it comes out differently'),
  )
    .addOption(currentFlow())
    .option('--trust', 'trust the folder from now on')
    .action(async (run, options) => answer(await (await import('./commands/replay.ts')).replay(run, options)));

  onFolder(program.command('diff <run> <other>').description('put two runs beside each other and show where they part'))
    .option('--all', 'show also steps that are the same')
    .action(async (run, other, options) => answer(await (await import('./commands/diff.ts')).diff(run, other, options)));

  onFolder(program.command('restore <run>').description("give files that a run's tools wrote back what they held after one of its steps"))
    .addOption(stepNumber())
    .option('--file <path>', 'only this file', collect, [])
    .option('--apply', 'restore them; without it, only what would change is shown')
    .option('--overwrite', 'restore also files that somebody else changed since')
    .addOption(new Option('--undo <number>', 'give back what a restoring replaced').argParser(readCount))
    .action(async (run, options) => answer(await (await import('./commands/restore.ts')).restore(run, options)));

  onFolder(program.command('export-run <run>').description('take a run along in one file (a capsule), after showing what it holds'))
    .option('-o, --out <file>', 'the file; give it a name that ends in .capsule.json')
    .option('--dry-run', 'only show what the file would hold')
    .option(
      '--redact <place>',
      'leave something out: a state (Customer), a place in one (Customer/email), or a JSON Pointer into the capsule',
      collect,
      [],
    )
    .option('--redact-text <text>', 'mask a text wherever it stands', collect, [])
    .action(async (run, options) => answer(await (await import('./commands/export-run.ts')).exportRun(run, options)));

  onFolder(
    program
      .command('test [capsules...]')
      .description(
        'compute the runs of capsules (files, or all in folders; without one, all of this folder) again with the flows as they are now',
      ),
  )
    .option('--update', 'where a run comes out differently, write that down as what is expected')
    .option('--trust', 'trust the folder from now on')
    .action(async (capsules, options) => answer(await (await import('./commands/test.ts')).test(capsules, options)));
}
