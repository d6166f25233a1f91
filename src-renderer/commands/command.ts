/** Something that the user can do, found by its title and, where it has one, done by its key. */
export interface Command {
  /** Stable; the desktop's menu sends it too. */
  readonly id: string;
  readonly title: string;
  /** Heading under which the palette and the shortcut sheet list it. */
  readonly section: 'File' | 'Edit' | 'View' | 'Run' | 'Help';
  /** As `isShortcut` reads it; the first is shown. */
  readonly keys?: readonly string[];
  /** True for keys that a text field has its own use for (undo, copy, single signs). */
  readonly notInText?: boolean;
  run(): void;
}
