import { type Command, Option } from 'commander';
import { readCount } from '#main/hosts/cli/json-argument.ts';

/** Takes the exit code of a command. */
export type Answer = (exitCode: number) => void;

/** Options of every command that works in a folder. */
export function onFolder(command: Command): Command {
  return command.option('--folder <dir>', 'the workspace (default: the nearest folder with pravah.json)').option('--json', 'print JSON');
}

/** Options of every command that drives a run. */
export function driving(command: Command): Command {
  return onFolder(command)
    .option('--allow-command <name>', 'let tools run a program: a name, or "name argument …" with * for any one argument', collect, [])
    .option('--allow-host <host>', 'let tools reach a host; * is any public one', collect, [])
    .option('--trust', 'trust the folder from now on: modules and tools of its own may run')
    .option('--record <file>', "write the models' answers as a script:// file");
}

export function maxSteps(): Option {
  return new Option('--max-steps <n>', 'pause after so many transitions').argParser(readCount);
}

export function stepNumber(): Option {
  return new Option('--step <n>', 'number of the step; 0 is the beginning').argParser((text) => (text === '0' ? 0 : readCount(text)));
}

export function currentFlow(): Option {
  return new Option('--current-flow', 'with the flow as its file is now, not as it was');
}

/** Gathers the values of an option that may be given more than once. */
export function collect(value: string, before: readonly string[]): string[] {
  return [...before, value];
}
