import { expect, it } from 'vitest';
import { extrasOf, layoutSchema, layoutText, layoutWith, noExtras } from './layout.ts';

const nodes = { B: { x: 4, y: 8 }, A: { x: 0, y: 0 } };
const note = { id: 'n2', x: 1, y: 2, width: 200, height: 100, text: 'Why', colour: 'amber' } as const;
const group = { id: 'g1', title: 'Prepare', colour: 'blue', nodes: ['A'], folded: false } as const;

it('writes version 1 until there is more than positions', () => {
  expect(layoutWith(nodes).pravah_layout).toBe(1);
  expect(layoutWith(nodes, { notes: [], groups: [] }).pravah_layout).toBe(1);
  expect(layoutWith(nodes, { direction: 'down' }).pravah_layout).toBe(2);
});

it('writes one node, note or group per line, and reads it back', () => {
  const layout = layoutWith(nodes, { direction: 'folded', notes: [note, { ...note, id: 'n1' }], groups: [{ ...group, nodes: ['A'] }] });
  const text = layoutText(layout);
  expect(text.split('\n').filter((line) => /^ {4}/.test(line))).toHaveLength(5);
  expect(layoutSchema.parse(JSON.parse(text))).toEqual(layout);
});

it('sorts notes and groups, so that the same content is the same text', () => {
  const one = layoutWith(nodes, { notes: [note, { ...note, id: 'n1' }] });
  const other = layoutWith(nodes, { notes: [{ ...note, id: 'n1' }, note] });
  expect(layoutText(one)).toBe(layoutText(other));
  expect(extrasOf(layoutWith(nodes))).toBe(noExtras);
});
