import type { Command } from '#renderer/commands/command.ts';
import type { Alignment, Axis } from '#renderer/layout/arrange.ts';
import { alignSelection, distributeSelection } from './arrange-selection.ts';

const align = (to: Alignment, words: string, key: string): Command => ({
  id: `align_${to}`,
  title: `Align ${words}`,
  section: 'Edit',
  keys: [`Shift+Alt+${key}`],
  notInText: true,
  run: () => alignSelection(to),
});

const distribute = (axis: Axis, key: string): Command => ({
  id: `distribute_${axis}`,
  title: `Distribute ${axis}`,
  section: 'Edit',
  keys: [`Shift+Alt+${key}`],
  notInText: true,
  run: () => distributeSelection(axis),
});

/** What brings the selected cards into line. The keys are those of Tidy (Shift+Alt+T) with where the cards go. */
export const arrangeCommands: readonly Command[] = [
  align('left', 'left edges', 'ArrowLeft'),
  align('center', 'on one upright line', 'C'),
  align('right', 'right edges', 'ArrowRight'),
  align('top', 'upper edges', 'ArrowUp'),
  align('middle', 'on one level', 'M'),
  align('bottom', 'lower edges', 'ArrowDown'),
  distribute('horizontally', 'H'),
  distribute('vertically', 'V'),
];
