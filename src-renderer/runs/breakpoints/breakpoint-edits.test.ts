import { describe, expect, it } from 'vitest';
import type { Breakpoint } from '#shared/contract/breakpoint.ts';
import { allSwitched, type BreakpointTarget, breakpointAt, cycled, fieldsOf, lookOf, toggled, withFields } from './breakpoint-edits.ts';

const target: BreakpointTarget = { kind: 'before', flow: 'a.flow.yaml', node: 'Order' };
const set: Breakpoint = { id: 'b1', ...target };

describe('setting a breakpoint', () => {
  it('sets one where there is none, and removes the one that is there', () => {
    expect(toggled([], target, 'b1')).toEqual({ put: set });
    expect(toggled([set], target, 'b2')).toEqual({ remove: 'b1' });
  });

  it('finds only a breakpoint of the same kind at the same place', () => {
    const branch: BreakpointTarget = { kind: 'branch', flow: 'a.flow.yaml', node: 'Order', state: 'Small' };
    const other: Breakpoint = { id: 'b2', ...branch, state: 'Large' };
    expect(breakpointAt([set, other], branch)).toBeUndefined();
    expect(breakpointAt([set, { id: 'b3', ...branch }], branch)?.id).toBe('b3');
    const written: BreakpointTarget = { kind: 'state', flow: 'a.flow.yaml', state: 'Small', on: 'written' };
    expect(breakpointAt([{ id: 'b4', ...written, on: 'consumed' }], written)).toBeUndefined();
  });

  it('cycles through on, off and removed, and keeps the condition', () => {
    const conditional = { ...set, condition: 'total > 100' };
    expect(cycled([], target, 'b1')).toEqual({ put: set });
    expect(cycled([conditional], target, 'b2')).toEqual({ put: { ...conditional, enabled: false } });
    expect(cycled([{ ...conditional, enabled: false }], target, 'b2')).toEqual({ remove: 'b1' });
  });

  it('turns all off while one is on, else all on', () => {
    const off = { ...set, id: 'b2', enabled: false };
    expect(allSwitched([set, off])).toEqual([{ ...set, enabled: false }]);
    expect(allSwitched([off])).toEqual([{ ...set, id: 'b2' }]);
  });
});

describe('the form of a breakpoint', () => {
  it('removes fields that are empty, and keeps the others', () => {
    const full: Breakpoint = { ...set, condition: 'total > 100', hits: '>=2', log: 'Order {total}', requires: 'b9', enabled: false };
    expect(withFields(full, fieldsOf(full))).toEqual(full);
    expect(withFields(full, { condition: ' ', hits: ' % 5', log: '', requires: '' })).toEqual({ ...set, hits: '%5', enabled: false });
  });
});

it('draws a log point as a diamond, one that is off as a ring, and one without its node as unverified', () => {
  expect(lookOf({ ...set, log: 'x', condition: 'n > 1' }, [])).toEqual({ shape: 'diamond', state: 'on', conditional: true });
  expect(lookOf({ ...set, enabled: false }, [])).toEqual({ shape: 'dot', state: 'off', conditional: false });
  expect(lookOf({ ...set, enabled: false }, ['b1']).state).toBe('unverified');
});
