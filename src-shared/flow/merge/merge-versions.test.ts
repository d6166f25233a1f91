import { describe, expect, it } from 'vitest';
import { layoutWith } from '#shared/flow/layout/layout.ts';
import { mergeLines } from './merge-lines.ts';
import { type FlowVersion, isSameVersion, mergeVersions } from './merge-versions.ts';

const path = 'a.flow.yaml';
const node = (from: string, to: string, title = from) =>
  `  - kind: work\n    title: ${title}\n    from: ${from}\n    to: ${to}\n    expr: input\n`;
const flow = (...nodes: string[]) => `pravah: 1\nname: A\ninput: A\noutput: C\nschemas: { A: {}, B: {}, C: {} }\nnodes:\n${nodes.join('')}`;
const base = flow(node('A', 'B'), node('B', 'C'));

describe('merging the lines of two edits', () => {
  it('takes both when they are of different nodes', () => {
    const mine = flow(node('A', 'B', 'Mine'), node('B', 'C'));
    const theirs = flow(node('A', 'B'), node('B', 'C', 'Theirs'));
    expect(mergeLines(base, mine, theirs)).toBe(flow(node('A', 'B', 'Mine'), node('B', 'C', 'Theirs')));
    expect(mergeLines(base, theirs, mine)).toBe(flow(node('A', 'B', 'Mine'), node('B', 'C', 'Theirs')));
  });

  it('takes what one side left alone from the other, and a change that both made once', () => {
    const changed = base.replace('name: A', 'name: Z');
    expect(mergeLines(base, base, changed)).toBe(changed);
    expect(mergeLines(base, changed, base)).toBe(changed);
    expect(mergeLines(base, changed, changed)).toBe(changed);
    expect(mergeLines(base, changed.replace('title: B', 'title: X'), changed)).toBe(changed.replace('title: B', 'title: X'));
  });

  it('refuses two changes of one line, and two insertions in one place', () => {
    expect(mergeLines(base, base.replace('title: A', 'title: X'), base.replace('title: A', 'title: Y'))).toBeNull();
    expect(mergeLines(base, `${base}${node('C', 'D')}`, `${base}${node('C', 'E')}`)).toBeNull();
  });

  it('refuses a line that was added to a node which the other side removed', () => {
    const removed = flow(node('A', 'B'));
    const added = base.replace('    from: B\n', '    from: B\n    note: new\n');
    expect(mergeLines(base, removed, added)).toBeNull();
    expect(mergeLines(base, removed, `${base}    note: new\n`)).toBeNull();
  });

  it('merges neighbouring lines when both sides only replaced lines', () => {
    const mine = base.replace('title: A', 'title: X');
    const theirs = base.replace('from: A', 'from: Q');
    expect(mergeLines(base, mine, theirs)).toBe(base.replace('title: A', 'title: X').replace('from: A', 'from: Q'));
  });

  it('loses nothing of texts without a last line end, and of empty ones', () => {
    expect(mergeLines('a\nb\nc', 'x\nb\nc', 'a\nb\nz')).toBe('x\nb\nz');
    expect(mergeLines('', 'a', 'b')).toBeNull();
    expect(mergeLines('a\n', '', 'a\n')).toBe('');
  });
});

describe('merging two versions', () => {
  const at = (text: string, nodes: Record<string, [number, number]> | null): FlowVersion => ({
    text,
    layout: nodes && { pravah_layout: 1, nodes: Object.fromEntries(Object.entries(nodes).map(([id, [x, y]]) => [id, { x, y }])) },
  });

  it('takes the moves of both, and of a node that both moved the later one', () => {
    const before = at(base, { A: [0, 0], B: [1, 1] });
    const merged = mergeVersions(before, at(base, { A: [5, 5], B: [1, 1] }), at(base, { A: [0, 0], B: [9, 9] }), path);
    expect(merged).toEqual(at(base, { A: [5, 5], B: [9, 9] }));
    expect(mergeVersions(before, at(base, { A: [5, 5], B: [1, 1] }), at(base, { A: [7, 7], B: [1, 1] }), path)).toEqual(
      at(base, { A: [5, 5], B: [1, 1] }),
    );
  });

  it('keeps an arrangement that only one side made', () => {
    const arranged = at(base, { A: [0, 0] });
    expect(mergeVersions(at(base, null), at(base, null), arranged, path)).toEqual(arranged);
    expect(mergeVersions(at(base, null), arranged, at(base, null), path)).toEqual(arranged);
  });

  it('refuses a merged text that cannot be read when both sides can', () => {
    const [before, mine, theirs] = ['a: &x 1\n# one\nb: 2\n', 'a: 1\n# one\nb: 2\n', 'a: &x 1\n# one\nb: *x\n'];
    expect(mergeLines(before, mine, theirs)).toBe('a: 1\n# one\nb: *x\n');
    expect(mergeVersions(at(before, null), at(mine, null), at(theirs, null), path)).toBeNull();
  });

  it('takes the notes of both, of a note that both changed the later one, and drops one that either removed', () => {
    const note = (id: string, text: string) => ({ id, x: 0, y: 0, width: 200, height: 100, text, colour: 'blue' as const });
    const withNotes = (notes: ReturnType<typeof note>[]): FlowVersion => ({ text: base, layout: layoutWith({}, { notes }) });
    const before = withNotes([note('a', 'one'), note('b', 'two')]);
    const mine = withNotes([note('a', 'mine'), note('b', 'two'), note('c', 'new')]);
    const theirs = withNotes([note('a', 'theirs'), note('d', 'other')]);
    const merged = mergeVersions(before, mine, theirs, path);
    expect(merged?.layout?.notes?.map(({ id, text }) => `${id} ${text}`)).toEqual(['a mine', 'c new', 'd other']);
    expect(isSameVersion(before, mine)).toBe(false);
  });

  it('compares positions by value', () => {
    expect(isSameVersion(at(base, { A: [1, 2] }), at(base, { A: [1, 2] }))).toBe(true);
    expect(isSameVersion(at(base, { A: [1, 2] }), at(base, { A: [1, 3] }))).toBe(false);
    expect(isSameVersion(at(base, { A: [1, 2] }), at(base, null))).toBe(false);
  });
});
