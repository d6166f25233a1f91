/** A user action, found by its title and, if it has keys, run by them. */
export interface Command {
  /** Stable; the desktop menu uses it, too. */
  readonly id: string;
  readonly title: string;
  /** Heading under which the palette and the shortcut sheet list it. */
  readonly section: 'File' | 'Edit' | 'View' | 'Run' | 'Debug' | 'Help';
  /** Shortcuts in the format of `isShortcut`; the first one is shown. */
  readonly keys?: readonly string[];
  /** True for keys that text fields handle themselves (undo, copy, single characters). */
  readonly notInText?: boolean;
  run(): void;
}
