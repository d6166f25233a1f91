import type { Alignment, Axis } from '#renderer/document/layout/arrange.ts';
import type { Command } from '#renderer/shell/command.ts';
import type { LayoutDirection } from '#shared/flow/layout/layout.ts';
import { alignSelection, distributeSelection, layOut } from './arrange-selection.ts';
import { texts } from './texts.ts';
import { needsFlow, needsNodes } from './why-not.ts';

const align = (to: Alignment, title: string, key: string): Command => ({
  id: `align_${to}`,
  title,
  section: 'Edit',
  keys: [`Shift+Alt+${key}`],
  notInText: true,
  where: ['selection'],
  whyNot: needsNodes(2),
  run: () => alignSelection(to),
});

const distribute = (axis: Axis, key: string): Command => ({
  id: `distribute_${axis}`,
  title: texts.arrange.distribute(axis),
  section: 'Edit',
  keys: [`Shift+Alt+${key}`],
  notInText: true,
  where: ['selection'],
  whyNot: needsNodes(3),
  run: () => distributeSelection(axis),
});

const layout = (direction: LayoutDirection | 'automatic'): Command => ({
  id: `layout_${direction}`,
  title: texts.arrange.direction[direction],
  section: 'Edit',
  where: ['canvas'],
  whyNot: needsFlow,
  run: () => void layOut(direction === 'automatic' ? null : direction),
});

/** Commands that lay out the whole flow. The layout file stores the choice. */
export const layoutCommands: readonly Command[] = [layout('automatic'), layout('right'), layout('down'), layout('folded')];

/** Commands that align and distribute the selected cards. Like Tidy, their keys use Shift+Alt. */
export const arrangeCommands: readonly Command[] = [
  align('left', texts.arrange.alignLeft, 'ArrowLeft'),
  align('center', texts.arrange.alignCenters, 'C'),
  align('right', texts.arrange.alignRight, 'ArrowRight'),
  align('top', texts.arrange.alignTop, 'ArrowUp'),
  align('middle', texts.arrange.alignMiddles, 'M'),
  align('bottom', texts.arrange.alignBottom, 'ArrowDown'),
  distribute('horizontally', 'H'),
  distribute('vertically', 'V'),
];
