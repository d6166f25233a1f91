import { expect, it } from 'vitest';
import { parseFlow } from '#shared/flow/parse-flow.ts';
import { parsedText, rememberParsed } from './parsed-text.ts';

const text = (title: string) => `pravah: 1
name: Pass
input: A
output: C
schemas: { A: {}, B: {}, C: {} }
nodes:
  - { kind: work, from: A, to: B }
  - { kind: work, from: B, to: C, title: ${title} }
`;

it('returns what the text of an open flow was read as', () => {
  const parsed = parseFlow(text('Pass on'), 'pass.flow.yaml');
  expect(parsedText(text('Pass on'), 'pass.flow.yaml')).not.toBe(parsed);
  rememberParsed(parsed);
  expect(parsedText(text('Pass on'), 'pass.flow.yaml')).toBe(parsed);
  expect(parsedText(text('Pass on'), 'other.flow.yaml')).not.toBe(parsed);
});

it('reads only what another text has different', () => {
  const parsed = parseFlow(text('Pass on'), 'pass.flow.yaml');
  rememberParsed(parsed);
  const other = parsedText(text('Return'), 'pass.flow.yaml');
  expect(other.outline.nodes?.map(({ raw }) => raw.title)).toEqual([undefined, 'Return']);
  expect(other.outline.nodes?.[0]).toBe(parsed.outline.nodes?.[0]);
});
