import { z } from 'zod';

/** Colors of notes and groups, by name: the theme says what they look like. */
export const layoutColours = ['grey', 'blue', 'green', 'amber', 'red', 'violet'] as const;
export type LayoutColour = (typeof layoutColours)[number];

/** How a whole flow is laid out. Without it: to the right, folded into rows if it would not be readable otherwise. */
export const layoutDirections = ['right', 'down', 'folded'] as const;
export type LayoutDirection = (typeof layoutDirections)[number];

const position = z.object({ x: z.number(), y: z.number() });
const colour = z.enum(layoutColours);

/** A note on the canvas, in canvas pixels at 100 %. */
const noteSchema = position.extend({
  id: z.string().min(1).max(100),
  width: z.number().min(40).max(4000),
  height: z.number().min(40).max(4000),
  /** Markdown without HTML. */
  text: z.string().max(20_000),
  colour,
});
export type LayoutNote = z.infer<typeof noteSchema>;

/** Nodes that are drawn and moved together; without meaning for a run. A group whose nodes all belong to another one lies in it. */
const groupSchema = z.object({
  id: z.string().min(1).max(100),
  title: z.string().max(500),
  colour,
  /** Keys of nodes. */
  nodes: z.array(z.string()),
  /** Drawn as one card. */
  folded: z.boolean(),
});
export type LayoutGroup = z.infer<typeof groupSchema>;

/** Positions by node id, in pixels of the canvas at 100 %, and what else is drawn. Version 1 has positions only. */
export const layoutSchema = z.object({
  pravah_layout: z.union([z.literal(1), z.literal(2)]),
  nodes: z.record(z.string(), position),
  direction: z.enum(layoutDirections).optional(),
  notes: z.array(noteSchema).optional(),
  groups: z.array(groupSchema).optional(),
});
export type Layout = z.infer<typeof layoutSchema>;

/** What a layout contains besides positions. */
export type LayoutExtras = Pick<Layout, 'direction' | 'notes' | 'groups'>;

/** No notes, no groups, no direction. */
export const noExtras: LayoutExtras = {};

/** A layout of version 1 if positions are all there is, so that older studios read it. */
export function layoutWith(nodes: Layout['nodes'], extras: LayoutExtras = noExtras): Layout {
  const kept = extrasOf(extras);
  return kept === noExtras ? { pravah_layout: 1, nodes } : { pravah_layout: 2, nodes, ...kept };
}

/** The parts of a layout besides its positions, in the order of the file: sorted by id, without empty lists. */
export function extrasOf(layout: LayoutExtras | null): LayoutExtras {
  const { direction, notes = [], groups = [] } = layout ?? noExtras;
  if (!direction && notes.length === 0 && groups.length === 0) return noExtras;
  return {
    ...(direction && { direction }),
    ...(notes.length > 0 && { notes: sorted(notes) }),
    ...(groups.length > 0 && { groups: sorted(groups) }),
  };
}

function sorted<Item extends { readonly id: string }>(items: readonly Item[]): Item[] {
  return [...items].sort((one, other) => (one.id < other.id ? -1 : 1));
}

/** The file's text: one node, note or group per line, sorted by id, so that moving one changes one line. */
export function layoutText({ pravah_layout, nodes, direction, notes = [], groups = [] }: Layout): string {
  const positions = Object.keys(nodes)
    .sort()
    .map((id) => `${JSON.stringify(id)}: { "x": ${nodes[id]?.x}, "y": ${nodes[id]?.y} }`);
  const parts = [
    `"pravah_layout": ${pravah_layout}`,
    ...(direction ? [`"direction": ${JSON.stringify(direction)}`] : []),
    `"nodes": {${lines(positions)}}`,
    ...(notes.length > 0 ? [`"notes": [${lines(sorted(notes).map((note) => JSON.stringify(note)))}]`] : []),
    ...(groups.length > 0 ? [`"groups": [${lines(sorted(groups).map((group) => JSON.stringify(group)))}]`] : []),
  ];
  return `{\n  ${parts.join(',\n  ')}\n}\n`;
}

function lines(items: readonly string[]): string {
  return items.length > 0 ? `\n${items.map((item) => `    ${item}`).join(',\n')}\n  ` : '';
}
