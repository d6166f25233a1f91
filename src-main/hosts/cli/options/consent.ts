import type { CommandRule } from '#main/engine/ports/context.ts';
import { printNote } from '#main/hosts/cli/output/terminal.ts';
import { isTrusted, setTrusted } from '#main/workspace/trust.ts';
import { UsageError } from './exit-codes.ts';

/** Options with which the user allows a run more than the folder's settings do. */
export interface ConsentOptions {
  readonly allowCommand: readonly string[];
  readonly allowHost: readonly string[];
  readonly trust?: boolean;
}

/** A value of `--allow-command`: a name (anything that the program can do), or a name with its arguments, `*` being any one. */
export function commandRule(text: string): CommandRule {
  const [name, ...args] = text.trim().split(/\s+/);
  if (!name || /[/\\]/.test(name)) throw new UsageError(`Invalid --allow-command value "${text}": use the program's name without a path.`);
  return args.length === 0 ? name : { name, args };
}

/** Returns whether the folder is trusted. `--trust` is stored in the profile, and the folder is printed. */
export async function trustOf(folder: string, options: { readonly trust?: boolean }): Promise<boolean> {
  if (await isTrusted(folder)) return true;
  if (!options.trust) return false;
  await setTrusted(folder, true);
  printNote(`Trusted folder: ${folder}`);
  return true;
}
