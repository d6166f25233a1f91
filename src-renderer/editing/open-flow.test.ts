import { describe, expect, it } from 'vitest';
import type { FlowContent } from '#shared/contract/flows.ts';
import { parseFlow } from '#shared/flow/parse-flow.ts';
import {
  isDirty,
  layoutOf,
  openFlow,
  stateIn,
  timeTravel,
  withAutomaticPositions,
  withDisk,
  withPositions,
  withSaved,
  withText,
} from './open-flow.ts';

const text = (to: string) =>
  `pravah: 1\nname: Test\ninput: A\noutput: ${to}\nschemas:\n  A: true\n  ${to}: true\nnodes:\n  - kind: work\n    from: A\n    to: ${to}\n`;
const path = 'test.flow.yaml';
const content: FlowContent = { path, text: text('B'), hash: 'one', layout: null, code: null, draft: null };
const parsed = (to: string) => parseFlow(text(to), path);

describe('an open flow', () => {
  it('is clean when opened, dirty after an edit, and clean again when the edit is taken back', () => {
    const flow = openFlow(content);
    expect(isDirty(flow)).toBe(false);
    const edited = withText(flow, parsed('C'), { label: 'Rename', at: 0 });
    expect(isDirty(edited)).toBe(true);
    expect(edited.view.nodes[0]?.outputs[0]?.state).toBe('C');
    const back = timeTravel(edited, 'undo');
    expect(back?.label).toBe('Rename');
    expect(back && isDirty(back.flow)).toBe(false);
    expect(back && timeTravel(back.flow, 'redo')?.flow.parsed.text).toBe(text('C'));
  });

  it('does not count automatic positions as an edit, but a move', () => {
    const flow = withAutomaticPositions(openFlow(content), { A: { x: 10, y: 10 } });
    expect([isDirty(flow), layoutOf(flow)]).toEqual([false, null]);
    const moved = withPositions(flow, { A: { x: 50, y: 10 } }, { label: 'Move', at: 0 });
    expect(isDirty(moved)).toBe(true);
    expect(layoutOf(moved)).toEqual({ pravah_layout: 1, nodes: { A: { x: 50, y: 10 } } });
    const back = timeTravel(moved, 'undo')?.flow;
    expect(back?.positions).toEqual({ A: { x: 10, y: 10 } });
    expect(back && isDirty(back)).toBe(false);
  });

  it('does not record a move to where the node already stands', () => {
    const flow = withAutomaticPositions(openFlow(content), { A: { x: 10, y: 10 } });
    expect(withPositions(flow, { A: { x: 10, y: 10 } }, { label: 'Move', at: 0 })).toBe(flow);
  });

  it('takes up the unsaved edits of an earlier session, and says when the file changed meanwhile', () => {
    const draft = { text: text('Kept'), layout: null, base_hash: 'zero', saved_at: 5 };
    const flow = openFlow({ ...content, draft });
    expect(flow.parsed.text).toBe(text('Kept'));
    expect([isDirty(flow), flow.restored_at, flow.base_hash]).toEqual([true, 5, 'zero']);
    expect(flow.disk).toEqual({ text: text('B'), hash: 'one' });
  });

  it('keeps the last readable graph while the text cannot be read', () => {
    const flow = openFlow(content);
    const broken = withText(flow, parseFlow('nodes: [', path), { label: 'Type', at: 0 });
    expect(broken.view).toBe(flow.view);
    expect(broken.parsed.problems[0]?.code).toBe('format');
  });

  it('stays dirty when it was edited again while it was being saved', () => {
    const first = withText(openFlow(content), parsed('C'), { label: 'Rename', at: 0 });
    const second = withText(first, parsed('D'), { label: 'Rename', at: 9000 });
    expect(isDirty(withSaved(second, stateIn(first), 'two'))).toBe(true);
    expect(isDirty(withSaved(second, stateIn(second), 'two'))).toBe(false);
  });

  it('can take back what came from disk', () => {
    const edited = withText(openFlow(content), parsed('Mine'), { label: 'Rename', at: 0 });
    const theirs = withDisk(edited, { ...content, text: text('Theirs'), hash: 'two' }, 1);
    expect([theirs.parsed.text, theirs.base_hash, isDirty(theirs)]).toEqual([text('Theirs'), 'two', false]);
    expect(timeTravel(theirs, 'undo')?.flow.parsed.text).toBe(text('Mine'));
  });
});
