import { expect, it } from 'vitest';
import type { NodeView } from '#renderer/document/graph/graph-view.ts';
import { tokenRows } from './token-rows.ts';

const node = (id: string, from: string[]): NodeView => ({
  key: id,
  id,
  index: 0,
  kind: 'work',
  title: `Title of ${id}`,
  inputs: from.map((state) => ({ state, open: false, entry: false, terminal: false })),
  outputs: [],
  detail: null,
});
const nodes = [node('Large', ['Large']), node('Rates+Invoices', ['Rates', 'Invoices']), node('Draft', ['Draft'])];

it('says what fires next, which state a join waits for, and who needs an answer', () => {
  const rows = tokenRows({ states: ['Large', 'Rates', 'Draft', 'Done', 'Large::Inner'], next: 'Large[2]::Half', asking: ['Draft'] }, nodes);
  expect(rows).toEqual([
    { state: 'Large', node: 'Title of Large', status: 'fires next', isNext: true },
    { state: 'Rates', node: 'Title of Rates+Invoices', status: 'waits for Invoices', isNext: false },
    { state: 'Draft', node: 'Title of Draft', status: 'needs an answer', isNext: false },
    { state: 'Done', node: '', status: 'result', isNext: false },
  ]);
});
