/**
 * What a menu is opened on. `step` is a row of the timeline, `flow` a row of the list of flows, `state` a state of the shown run or a value in it, `run` a
 * row of the list of runs, `question` a row of the inbox, `problem` a row of the problems.
 */
export type MenuPlace =
  | 'canvas'
  | 'node'
  | 'selection'
  | 'wire'
  | 'port'
  | 'token'
  | 'group'
  | 'note'
  | 'tab'
  | 'flow'
  | 'step'
  | 'state'
  | 'run'
  | 'question'
  | 'problem';

/** A user action, found by its title and, if it has keys, run by them. */
export interface Command {
  /** Stable; the desktop menu uses it, too. */
  readonly id: string;
  readonly title: string;
  /** Heading under which the palette and the shortcut sheet list it. */
  readonly section: 'File' | 'Edit' | 'View' | 'Run' | 'Debug' | 'Help';
  /** Shortcuts in the format of `isShortcut`; the first one is shown. */
  readonly keys?: readonly string[];
  /** A shortcut that the canvas or the browser handles; only shown. */
  readonly hint?: string;
  /** True for keys that text fields handle themselves (undo, copy, single characters). */
  readonly notInText?: boolean;
  /** The menus that list it. */
  readonly where?: readonly MenuPlace[];
  /** Its title in menus, where it is clear what it is about. */
  readonly short?: string;
  /** Why it cannot run now, as a sentence; null if it can. Menus show it, and its keys announce it. */
  whyNot?(): string | null;
  run(): void;
}

/** Runs a command, or announces why it cannot run now. */
export function runOrExplain({ whyNot, run }: Command, explain: (why: string) => void): void {
  const why = whyNot?.() ?? null;
  if (why === null) run();
  else explain(why);
}
