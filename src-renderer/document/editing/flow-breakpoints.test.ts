import { describe, expect, it } from 'vitest';
import { readableFlow } from '#renderer/document/graph/readable-flow.ts';
import type { Breakpoint } from '#shared/contract/breakpoint.ts';
import type { FlowContent } from '#shared/contract/flows.ts';
import type { Supplied } from '#shared/contract/supplied.ts';
import { parseFlow } from '#shared/flow/parse-flow.ts';
import { breakpointChanges, carryBreakpoints, mergeBreakpoints, sameBreakpoints } from './flow-breakpoints.ts';
import { openFlow, timeTravel, withBreakpoints, withContent, withDisk, withText } from './open-flow.ts';

const path = 'test.flow.yaml';
const text = (middle = 'B', name = 'Test') =>
  `pravah: 1\nname: ${name}\ninput: A\noutput: Z\nschemas: { A: true, ${middle}: true, Z: true }\nnodes:\n  - { kind: work, from: A, to: ${middle} }\n  - { kind: work, from: ${middle}, to: Z }\n`;
const content: FlowContent = {
  ...{ path, text: text(), hash: 'one', layout: null, code: null, draft: null, others: [] },
  revision: { document: 'd', number: 1 },
};
const parsed = (...of: Parameters<typeof text>) => parseFlow(text(...of), path);
const readable = (source: string) => readableFlow(parseFlow(source, path));
const before: Breakpoint = { id: 'b1', kind: 'before', flow: path, node: 'B' };
const written: Breakpoint = { id: 'b2', kind: 'state', flow: path, state: 'B', on: 'written' };
const change = { label: 'Edit', at: 0 };

describe('breakpoints of an edited flow', () => {
  it('follow a renamed node and state, in all their fields', () => {
    const branch: Breakpoint = { id: 'b3', kind: 'branch', flow: path, node: 'A', state: 'B', in: `${path}#B` };
    expect(carryBreakpoints(readable(text()), readable(text('C')), path, [before, written, branch])).toEqual([
      { ...before, node: 'C' },
      { ...written, state: 'C' },
      { ...branch, state: 'C', in: `${path}#C` },
    ]);
  });

  it('take pins and mocks of the node with them', () => {
    const pin: Supplied = { id: 'p', kind: 'pin', flow: path, node: 'A', value: 1, branch: 'B' };
    const mock: Supplied = { id: 'm', kind: 'tool', tool: 'read_file', flow: path, node: 'B', rules: [{ result: '' }] };
    expect(carryBreakpoints(readable(text()), readable(text('C')), path, [pin, mock])).toEqual([
      { ...pin, branch: 'C' },
      { ...mock, node: 'C' },
    ]);
  });

  it('stay as they are where a node was removed, or nothing was renamed', () => {
    const all = [before, written];
    expect(carryBreakpoints(readable(text()), readable(text('B', 'Other')), path, all)).toBe(all);
    const shorter = text().replace(/ {2}- \{ kind: work, from: B.*\n/, '');
    expect(carryBreakpoints(readable(text()), readable(shorter), path, all)).toBe(all);
    expect(carryBreakpoints(readable(text()), null, path, all)).toBe(all);
  });
});

describe('undo', () => {
  it('takes a breakpoint back and sets it again, like an edit', () => {
    const set = withBreakpoints(openFlow(content), [before], { label: 'Set', at: 0 });
    const back = timeTravel(set, 'undo');
    expect([back?.label, back?.flow.breakpoints]).toEqual(['Set', []]);
    expect(back?.flow && timeTravel(back.flow, 'redo')?.flow.breakpoints).toEqual([before]);
  });

  it('moves breakpoints back with the node that was renamed', () => {
    const set = withBreakpoints(openFlow(content), [before, written], change);
    const renamed = withText(set, parsed('C'), { label: 'Rename', at: 5000 });
    expect(renamed.breakpoints).toEqual([
      { ...before, node: 'C' },
      { ...written, state: 'C' },
    ]);
    const back = timeTravel(renamed, 'undo')?.flow;
    expect(back?.breakpoints).toEqual([before, written]);
    expect(back && timeTravel(back, 'redo')?.flow.breakpoints).toEqual(renamed.breakpoints);
  });

  it('keeps what another window has set since, and is no step for it', () => {
    const set = withBreakpoints(openFlow(content), [before], change);
    const other = withBreakpoints(set, [before, written], null);
    expect(other.history.past).toHaveLength(1);
    const back = timeTravel(other, 'undo')?.flow;
    expect(back?.breakpoints).toEqual([written]);
    expect(back && timeTravel(back, 'redo')?.flow.breakpoints).toEqual([written, before]);
  });

  it('keeps breakpoints when the file changes on disk or in another window', () => {
    const set = withBreakpoints(openFlow(content), [before], change);
    expect(withDisk(set, { ...content, text: text('B', 'Other'), hash: 'two' }, 1).breakpoints).toEqual([before]);
    const draft = { text: text('B', 'Other'), layout: null, base_hash: 'one', saved_at: 1, restored: false };
    const shared = withContent(set, { ...content, draft, revision: { document: 'd', number: 2 } }, { at: 2 });
    expect([shared.parsed.outline.name, shared.breakpoints]).toEqual(['Other', [before]]);
  });
});

describe('merging', () => {
  it('applies one change to a list that has changed since', () => {
    const off: Breakpoint = { ...written, enabled: false };
    expect(mergeBreakpoints([before, written], [before], [before, off])).toEqual([before]);
    expect(mergeBreakpoints([written], [off], [before, written])).toEqual([before, off]);
    expect(mergeBreakpoints([written], [written], [off])).toEqual([off]);
  });

  it('ignores how a node looks, which the host stores', () => {
    const anchored: Breakpoint = { ...before, anchor: { kind: 'work', to: ['Z'], index: 1 } };
    expect(sameBreakpoints([before], [anchored])).toBe(true);
    expect(breakpointChanges([before], [{ ...anchored, condition: 'n > 1' }, written])).toMatchObject({
      put: [{ id: 'b1' }, { id: 'b2' }],
      remove: [],
    });
    expect(breakpointChanges([before, written], [])).toEqual({ put: [], remove: ['b1', 'b2'] });
  });
});
