import {
  type Icon,
  IconAlignLeft,
  IconArrowsSplit2,
  IconCode,
  IconCpu,
  IconFileCode,
  IconMath,
  IconSitemap,
  IconTool,
  IconUser,
} from '@tabler/icons-react';
import type { NodeDetail } from '#renderer/document/graph/node-detail.ts';
import type { PaintedIcon } from '#renderer/ui/theme/painted-icons.ts';

const icons: Readonly<Record<NodeDetail['type'] | 'text', Icon>> = {
  tool: IconTool,
  code: IconCode,
  expr: IconMath,
  module: IconFileCode,
  model: IconCpu,
  flow: IconSitemap,
  person: IconUser,
  gate: IconArrowsSplit2,
  group: IconArrowsSplit2,
  text: IconAlignLeft,
};

/** The icons of the last line of a card, by the type of what it shows; `text` is what a node says in the shown run. */
export const detailIcons: Readonly<Record<string, PaintedIcon>> = Object.fromEntries(
  Object.entries(icons).map(([type, icon]) => [`detail-${type}`, { icon, color: '--text-muted', stroke: 1.75 }]),
);
