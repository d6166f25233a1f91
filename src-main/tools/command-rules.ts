import type { CommandRule, Context } from '#main/engine/ports/context.ts';
import { ToolError } from '#shared/run/error.ts';

/** The part of a context that decides which commands tools may run. */
type CommandScope = Pick<Context, 'commands' | 'from_program'> & Partial<Pick<Context, 'trusted'>>;

/** Throws ToolError `ForbiddenCommand` for a command that no rule of the context allows. */
export function checkCommand({ commands: rules, from_program, trusted }: CommandScope, command: string, args: readonly string[]): void {
  const list = from_program ? 'the commands of createContext' : 'pravah.json';
  if (!/^[^/\\\0]+$/.test(command) || command === '.' || command === '..') {
    throw forbidden(command, 'a command must be a plain program name, without path separators');
  }
  if (args.some((arg) => arg.includes('\0'))) throw forbidden(command, 'an argument contains a NUL character');
  const named = rules.filter((rule) => (typeof rule === 'string' ? rule : rule.name) === command);
  if (named.length === 0) throw forbidden(command, whyNotAllowed(command, from_program, trusted));
  if (named.some((rule) => typeof rule === 'string' || matchesArguments(rule.args, args))) return;
  throw forbidden(command, `${list} ${from_program ? 'allow' : 'allows'} it only as ${named.map(describe).join(' or ')}`);
}

function whyNotAllowed(command: string, fromProgram: boolean | undefined, trusted: boolean | undefined): string {
  if (fromProgram) return `allow it with createContext({ commands: ['${command}'] })`;
  if (trusted === false) return 'the folder is not trusted, so the commands in its pravah.json are ignored. Trust the folder';
  return 'pravah.json does not allow this command';
}

/** Whether a rule with fixed arguments allows this call, as opposed to a rule that allows any arguments. */
export function hasPinnedArguments(rules: readonly CommandRule[], command: string, args: readonly string[]): boolean {
  return rules.some((rule) => typeof rule !== 'string' && rule.name === command && matchesArguments(rule.args, args));
}

/** Matches argument by argument: `*` matches exactly one that does not start with `-`, everything else matches literally. */
function matchesArguments(pattern: readonly string[], args: readonly string[]): boolean {
  return pattern.length === args.length && pattern.every((part, index) => matchesArgument(part, args[index] as string));
}

function matchesArgument(part: string, arg: string): boolean {
  return part === '*' ? !arg.startsWith('-') : part === arg;
}

function describe(rule: CommandRule): string {
  return typeof rule === 'string' ? rule : JSON.stringify([rule.name, ...rule.args].join(' '));
}

function forbidden(command: string, reason: string): ToolError {
  return new ToolError('ForbiddenCommand', `Command ${JSON.stringify(command)} is not allowed: ${reason}.`, { details: { command } });
}
