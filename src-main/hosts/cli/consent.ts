import { UsageError } from '#main/hosts/cli/exit-codes.ts';
import { printNote } from '#main/hosts/cli/terminal.ts';
import type { CommandRule } from '#main/runtime/context.ts';
import { isTrusted, setTrusted } from '#main/workspace/trust.ts';

/** Options by which the user allows a run more than the folder's settings do. */
export interface ConsentOptions {
  readonly allowCommand: readonly string[];
  readonly allowHost: readonly string[];
  readonly trust?: boolean;
}

/** A value of `--allow-command`: a name (anything that the program can do), or a name with its arguments, `*` being any one. */
export function commandRule(text: string): CommandRule {
  const [name, ...args] = text.trim().split(/\s+/);
  if (!name || /[/\\]/.test(name)) throw new UsageError(`--allow-command takes the name of a program, without a path: "${text}".`);
  return args.length === 0 ? name : { name, args };
}

/** Whether the folder is trusted, after `--trust` has been noted in the profile; names the folder that becomes trusted. */
export async function trustOf(folder: string, options: { readonly trust?: boolean }): Promise<boolean> {
  if (await isTrusted(folder)) return true;
  if (!options.trust) return false;
  await setTrusted(folder, true);
  printNote(`Trusted from now on: ${folder}`);
  return true;
}
