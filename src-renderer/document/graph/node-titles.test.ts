import { expect, it } from 'vitest';
import { nodeTitlesOf } from './node-titles.ts';

const text = JSON.stringify({
  nodes: [{ kind: 'each', title: 'Answer every mail', from: 'Mails', to: 'Replies', flow: './answer.flow.json' }],
});

it('names nodes by their titles, those inside an each node with their items, and unknown ones by their ids', () => {
  const titles = nodeTitlesOf(text, 'mails.flow.json', { 'Mails[]::Draft': 'Write a draft', 'Mails[]::Rows[]::Cell': 'Add up' });
  expect(titles('Mails')).toBe('Answer every mail');
  expect(titles('Mails[1]::Draft')).toBe('Write a draft · item 2');
  expect(titles('Mails[0]::Rows[2]::Cell')).toBe('Add up · item 1 · item 3');
  expect(titles('Mails[0]::Gone')).toBe('Mails[0]::Gone');
});
