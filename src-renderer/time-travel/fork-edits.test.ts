import { describe, expect, it } from 'vitest';
import type { StateEntry } from '#shared/contract/runs.ts';
import { faultsOfState, noEdits, otherMisfits, requestOf, withDropped, withValue } from './fork-edits.ts';

const ticket: StateEntry = { name: 'Ticket', value: { id: 1 }, written_at: 0, written_by: '' };

describe('the edits of a fork', () => {
  it('hold what differs from the states as they were', () => {
    const edited = withValue(noEdits, ticket, { id: 2 });
    expect(requestOf(edited)).toEqual({ states: [{ name: 'Ticket', value: { id: 2 } }], drop: [] });
    expect(requestOf(withValue(edited, ticket, { id: 1 }))).toEqual({ states: [], drop: [] });
    expect(requestOf(withValue(edited, ticket, undefined))).toEqual({ states: [], drop: [] });
  });

  it('give no value to a state that is left out, and keep it for when it is taken along again', () => {
    const dropped = withDropped(withValue(noEdits, ticket, { id: 2 }), 'Ticket', true);
    expect(requestOf(dropped)).toEqual({ states: [], drop: ['Ticket'] });
    expect(requestOf(withDropped(dropped, 'Ticket', false))).toEqual({ states: [{ name: 'Ticket', value: { id: 2 } }], drop: [] });
  });
});

describe('the misfits of a fork', () => {
  const misfits = [
    { path: '/states/1/value/address/a~1b', state: 'Ticket', message: 'must be string' },
    { path: '/states/0/value', state: 'Order', message: 'must be object' },
    { path: '/control/agents/Draft', state: null, message: 'no such agent' },
  ];

  it('stand at their fields', () => {
    expect(faultsOfState(misfits, 'Ticket')).toEqual([{ path: ['address', 'a/b'], message: 'must be string' }]);
    expect(faultsOfState(misfits, 'Order')).toEqual([{ path: [], message: 'must be object' }]);
  });

  it('that belong to no state shown stand apart', () => {
    expect(otherMisfits(misfits, ['Ticket', 'Order'])).toEqual([misfits[2]]);
    expect(otherMisfits(misfits, ['Ticket'])).toHaveLength(2);
  });
});
