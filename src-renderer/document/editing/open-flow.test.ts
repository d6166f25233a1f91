import { describe, expect, it } from 'vitest';
import type { FlowContent } from '#shared/contract/flows.ts';
import { parseFlow } from '#shared/flow/parse-flow.ts';
import {
  isDirty,
  isSynced,
  layoutOf,
  openFlow,
  stateIn,
  timeTravel,
  withAutomaticPositions,
  withContent,
  withDisk,
  withPositions,
  withSynced,
  withText,
  withVersion,
} from './open-flow.ts';

const text = (to: string) =>
  `pravah: 1\nname: Test\ninput: A\noutput: ${to}\nschemas:\n  A: true\n  ${to}: true\nnodes:\n  - kind: work\n    from: A\n    to: ${to}\n`;
const path = 'test.flow.yaml';
const content: FlowContent = {
  ...{ path, text: text('B'), hash: 'one', layout: null, code: null, draft: null, others: [] },
  revision: { document: 'd', number: 1 },
};
const parsed = (to: string) => parseFlow(text(to), path);

describe('an open flow', () => {
  it('is clean when opened, dirty after an edit, and clean again after undo', () => {
    const flow = openFlow(content);
    expect(isDirty(flow)).toBe(false);
    const edited = withText(flow, parsed('C'), { label: 'Rename', at: 0 });
    expect(isDirty(edited)).toBe(true);
    expect(edited.view.nodes[0]?.outputs[0]?.state).toBe('C');
    const back = timeTravel(edited, 'undo');
    expect(back?.label).toBe('Rename');
    expect(back?.flow && isDirty(back.flow)).toBe(false);
    expect(back?.flow && timeTravel(back.flow, 'redo')?.flow?.parsed.text).toBe(text('C'));
  });

  it('counts a move as an edit, but not automatic positions', () => {
    const flow = withAutomaticPositions(openFlow(content), { A: { x: 10, y: 10 } });
    expect([isDirty(flow), layoutOf(flow)]).toEqual([false, null]);
    const moved = withPositions(flow, { A: { x: 50, y: 10 } }, { label: 'Move', at: 0 });
    expect(isDirty(moved)).toBe(true);
    expect(layoutOf(moved)).toEqual({ pravah_layout: 1, nodes: { A: { x: 50, y: 10 } } });
    const back = timeTravel(moved, 'undo')?.flow;
    expect(back?.positions).toEqual({ A: { x: 10, y: 10 } });
    expect(back && isDirty(back)).toBe(false);
  });

  it('does not record a move to the same position', () => {
    const flow = withAutomaticPositions(openFlow(content), { A: { x: 10, y: 10 } });
    expect(withPositions(flow, { A: { x: 10, y: 10 } }, { label: 'Move', at: 0 })).toBe(flow);
  });

  it('restores unsaved edits of an earlier session, and reports if the file changed in the meantime', () => {
    const draft = { text: text('Kept'), layout: null, base_hash: 'zero', saved_at: 5, restored: true };
    const flow = openFlow({ ...content, draft });
    expect(flow.parsed.text).toBe(text('Kept'));
    expect([isDirty(flow), flow.restored_at, flow.base_hash]).toEqual([true, 5, 'zero']);
    expect(flow.disk).toEqual({ text: text('B'), hash: 'one' });
  });

  it('keeps the last readable graph while the text cannot be parsed', () => {
    const flow = openFlow(content);
    const broken = withText(flow, parseFlow('nodes: [', path), { label: 'Type', at: 0 });
    expect(broken.view).toBe(flow.view);
    expect(broken.parsed.problems[0]?.code).toBe('format');
  });

  it('stays dirty if it is edited during a save', () => {
    const first = withText(openFlow(content), parsed('C'), { label: 'Rename', at: 0 });
    const second = withText(first, parsed('D'), { label: 'Rename', at: 9000 });
    const saved = { ...content, text: text('C'), hash: 'two', revision: { document: 'd', number: 2 } };
    expect(isDirty(withContent(second, saved, { at: 0, sent: stateIn(first) }))).toBe(true);
    const clean = withContent(second, { ...saved, text: text('D') }, { at: 0, sent: stateIn(second) });
    expect([isDirty(clean), clean.base_hash]).toEqual([false, 'two']);
  });

  it('can undo a change from disk', () => {
    const edited = withText(openFlow(content), parsed('Mine'), { label: 'Rename', at: 0 });
    const theirs = withDisk(edited, { ...content, text: text('Theirs'), hash: 'two' }, 1);
    expect([theirs.parsed.text, theirs.base_hash, isDirty(theirs)]).toEqual([text('Theirs'), 'two', false]);
    expect(timeTravel(theirs, 'undo')?.flow?.parsed.text).toBe(text('Mine'));
  });
});

const nodes = (first: string, second: string) =>
  `pravah: 1\nname: Test\ninput: A\noutput: C\nschemas: { A: {}, B: {}, C: {} }\nnodes:\n  - kind: work\n    title: ${first}\n    from: A\n    to: B\n  - kind: work\n    title: ${second}\n    from: B\n    to: C\n`;

/** What the service says when all windows share this text, which is not saved. */
function shared(number: number, unsaved: string, layout: FlowContent['layout'] = null): FlowContent {
  const draft = { text: unsaved, layout, base_hash: 'one', saved_at: 5, restored: false };
  return { ...content, text: nodes('One', 'Two'), revision: { document: 'd', number }, draft };
}

describe('a flow that other windows edit, too', () => {
  const opened = openFlow({ ...content, text: nodes('One', 'Two') });
  const edit = (flow: typeof opened, unsaved: string) => withText(flow, parseFlow(unsaved, path), { label: 'Edit title', at: 0 });
  const take = (flow: typeof opened, news: FlowContent) => withContent(flow, news, { at: 0 });

  it('shows their edits, which are not undo steps here', () => {
    const flow = take(opened, shared(2, nodes('Theirs', 'Two')));
    expect(flow.parsed.text).toBe(nodes('Theirs', 'Two'));
    expect([isDirty(flow), isSynced(flow), timeTravel(flow, 'undo')]).toEqual([true, true, null]);
  });

  it('keeps its own unsent edits, and undoes only those', () => {
    const flow = take(edit(opened, nodes('One', 'Mine')), shared(2, nodes('Theirs', 'Two')));
    expect(flow.parsed.text).toBe(nodes('Theirs', 'Mine'));
    expect(isSynced(flow)).toBe(false);
    const undone = timeTravel(flow, 'undo')?.flow;
    expect(undone?.parsed.text).toBe(nodes('Theirs', 'Two'));
    expect(undone && timeTravel(undone, 'redo')?.flow?.parsed.text).toBe(nodes('Theirs', 'Mine'));
  });

  it('does not undo an edit whose lines they have changed since', () => {
    const own = edit(opened, nodes('Mine', 'Two'));
    const flow = take(withSynced(own, stateIn(own), { document: 'd', number: 2 }), shared(3, nodes('Theirs', 'Two')));
    expect(timeTravel(flow, 'undo')).toMatchObject({ refused: 'Edit title', flow: { parsed: flow.parsed } });
  });

  it('stays unchanged after a conflict until the service settles it', () => {
    const own = edit(opened, nodes('Mine', 'Two'));
    const news = shared(2, nodes('Theirs', 'Two'));
    expect(take(own, news)).toBe(own);
    const settled = withContent(own, news, { at: 0, sent: stateIn(own), settled: true });
    expect([settled.parsed.text, isSynced(settled)]).toEqual([nodes('Theirs', 'Two'), true]);
    expect(timeTravel(settled, 'undo')).toMatchObject({ refused: 'Edit title' });
  });

  it('is based on the sent content when an answer arrives after further edits', () => {
    const sent = edit(opened, nodes('Mine', 'Two'));
    const typed = edit(sent, nodes('Mine and more', 'Two'));
    const flow = withContent(typed, shared(3, nodes('Mine', 'Theirs')), { at: 0, sent: stateIn(sent) });
    expect(flow.parsed.text).toBe(nodes('Mine and more', 'Theirs'));
  });

  it('ignores content that it already has, and applies that of another process', () => {
    const flow = take(opened, shared(3, nodes('Newer', 'Two')));
    expect(take(flow, shared(2, nodes('Older', 'Two')))).toBe(flow);
    const restarted = { ...shared(1, nodes('Restarted', 'Two')), revision: { document: 'e', number: 1 } };
    expect(take(flow, restarted).parsed.text).toBe(nodes('Restarted', 'Two'));
  });

  it('applies their moves, and is clean after their save', () => {
    const layout = { pravah_layout: 1, nodes: { A: { x: 1, y: 2 }, B: { x: 3, y: 4 } } } as const;
    const flow = take(opened, shared(2, nodes('One', 'Two'), layout));
    expect([flow.arranged, flow.positions, isDirty(flow)]).toEqual([true, layout.nodes, true]);
    const saved = { ...content, text: nodes('One', 'Two'), layout, revision: { document: 'd', number: 3 } };
    expect(isDirty(take(flow, saved))).toBe(false);
  });

  it('can undo a file change on disk', () => {
    const flow = take(opened, { ...content, text: nodes('From git', 'Two'), hash: 'two', revision: { document: 'd', number: 2 } });
    expect([flow.parsed.text, isDirty(flow)]).toEqual([nodes('From git', 'Two'), false]);
    expect(timeTravel(flow, 'undo')).toMatchObject({ label: 'Change on disk', flow: { parsed: { text: nodes('One', 'Two') } } });
  });

  it('reports if the file is no longer the base of the edits', () => {
    const flow = take(opened, { ...shared(2, nodes('Mine', 'Two')), text: nodes('From git', 'Two'), hash: 'two' });
    expect(flow.disk).toEqual({ text: nodes('From git', 'Two'), hash: 'two' });
  });

  it('applies another version as one undo step', () => {
    const flow = withVersion(opened, { text: nodes('Other', 'Two'), layout: null }, { label: 'Use the other version', at: 0 });
    expect(flow.parsed.text).toBe(nodes('Other', 'Two'));
    expect(timeTravel(flow, 'undo')?.flow?.parsed.text).toBe(nodes('One', 'Two'));
  });
});
