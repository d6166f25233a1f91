import type { PaintedIcon } from '#renderer/ui/theme/painted-icons.ts';
import { kindLooks, libraryKinds } from './node-kinds.ts';

/** The icons of `KindChip`: of each kind in its colour and, for nodes that step back, without one. */
export const kindIcons: Readonly<Record<string, PaintedIcon>> = Object.fromEntries(
  libraryKinds.flatMap((kind) => {
    const { icon } = kindLooks[kind];
    return [
      [`kind-${kind}`, { icon, color: `--kind-${kind}`, stroke: 2 }],
      [`kind-${kind}-muted`, { icon, color: '--text-muted', stroke: 2 }],
    ];
  }),
);
