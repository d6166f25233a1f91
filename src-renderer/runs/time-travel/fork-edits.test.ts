import { describe, expect, it } from 'vitest';
import type { StateEntry } from '#shared/contract/runs.ts';
import { faultsOfState, noEdits, otherMisfits, requestOf, withDropped, withValue } from './fork-edits.ts';

const ticket: StateEntry = { name: 'Ticket', value: { id: 1 }, written_at: 0, written_by: '' };

describe('the edits of a fork', () => {
  it('contain only values that differ from the original states', () => {
    const edited = withValue(noEdits, ticket, { id: 2 });
    expect(requestOf(edited)).toEqual({ states: [{ name: 'Ticket', value: { id: 2 } }], drop: [] });
    expect(requestOf(withValue(edited, ticket, { id: 1 }))).toEqual({ states: [], drop: [] });
    expect(requestOf(withValue(edited, ticket, undefined))).toEqual({ states: [], drop: [] });
  });

  it('omit the value of a removed state, and restore it when the state is added back', () => {
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

  it('are assigned to their fields', () => {
    expect(faultsOfState(misfits, 'Ticket')).toEqual([{ path: ['address', 'a/b'], message: 'must be string' }]);
    expect(faultsOfState(misfits, 'Order')).toEqual([{ path: [], message: 'must be object' }]);
  });

  it('of no shown state are listed separately', () => {
    expect(otherMisfits(misfits, ['Ticket', 'Order'])).toEqual([misfits[2]]);
    expect(otherMisfits(misfits, ['Ticket'])).toHaveLength(2);
  });
});
