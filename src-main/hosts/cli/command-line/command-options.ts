import { type Command, Option } from 'commander';
import { UsageError } from '#main/hosts/cli/options/exit-codes.ts';
import { readCount } from '#main/hosts/cli/options/json-argument.ts';

/** Receives the exit code of a command. */
export type Answer = (exitCode: number) => void;

/** Adds the options of every command that works in a folder. */
export function onFolder(command: Command): Command {
  return command.option('--folder <dir>', 'workspace (default: nearest folder with pravah.json)').option('--json', 'print JSON');
}

/** Adds the options with which the user allows runs more than the folder's settings do. */
export function consenting(command: Command): Command {
  return onFolder(command)
    .option('--allow-command <name>', 'let tools run a program: NAME or "NAME ARG *" (repeatable)', collect, [])
    .option('--allow-host <host>', 'let tools reach a host; * for all public ones (repeatable)', collect, [])
    .option('--trust', 'trust this folder permanently, so that its code may run');
}

/** Adds the options of every command that drives a run. */
export function driving(command: Command): Command {
  return consenting(command).option('--record <file>', 'write model responses to a script:// file');
}

/** Adds the options with which a command stops a run at breakpoints. */
export function stopping(command: Command): Command {
  return command
    .option('--break <spec>', 'pause at NODE, NODE:after, NODE->STATE, state:NAME, … (repeatable)', collect, [])
    .option('--log <spec>', 'log at a breakpoint: SPEC => TEXT with {state.field} (repeatable)', collect, [])
    .option('--breakpoints', "also pause at the folder's breakpoints");
}

/** Adds the options with which a command supplies outputs of nodes and results of calls. */
export function supplying(command: Command): Command {
  return command
    .option('--mock <file>', 'use the pins and mocks of a JSON file (repeatable)', collect, [])
    .option('--supplied', "use the folder's pins and mocks");
}

export function maxSteps(): Option {
  return new Option('--max-steps <n>', 'pause after N steps').argParser(readCount);
}

/** In which order events are printed. */
export function eventOrder(): Option {
  return new Option('--order <order>', 'with --json, live also prints the events of nodes that work ahead').choices(['record', 'live']);
}

/** For how long a run is held inside a step at most. */
export function holdSeconds(): Option {
  return new Option('--hold <seconds>', 'continue a run that is held inside a step after this time').argParser(readCount);
}

/** On which server a command works. */
export function onServer(): Option {
  return new Option('--on <server>', 'work on a server of “pravah server add” instead of this machine');
}

/** Options that a command on a server takes; those of the flow's folder are the server's. */
const remoteOptions: ReadonlySet<string> = new Set([
  'on',
  'json',
  'input',
  'message',
  'model',
  'maxSteps',
  'toolId',
  'call',
  'payload',
  'count',
  'limit',
  'step',
]);

/** Throws `UsageError` for options that can't be combined with `--on`. */
export function assertRemote(options: object): void {
  for (const [name, value] of Object.entries(options)) {
    const given = Array.isArray(value) ? value.length > 0 : value !== undefined;
    const option = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    if (given && !remoteOptions.has(name)) throw new UsageError(`--${option} can't be combined with --on: it is for runs on this machine.`);
  }
}

export function stepNumber(): Option {
  return new Option('--step <n>', 'step number; 0 is the start of the run').argParser(readStep);
}

/** Parses a step's number. */
export function readStep(text: string): number {
  return text === '0' ? 0 : readCount(text);
}

/** Parses a share in percent. */
export function readPercent(text: string): number {
  const percent = Number(text);
  if (text.trim() !== '' && percent >= 0 && percent <= 100) return percent;
  throw new UsageError(`--min takes a number from 0 to 100, not "${text}".`);
}

export function currentFlow(): Option {
  return new Option('--current-flow', 'use the current flow instead of the recorded one');
}

/** Collects the values of a repeatable option. */
export function collect(value: string, before: readonly string[]): string[] {
  return [...before, value];
}
