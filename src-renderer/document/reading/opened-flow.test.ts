import { expect, it } from 'vitest';
import { openFlow } from '#renderer/document/editing/open-flow.ts';
import { parseFlow } from '#shared/flow/parse-flow.ts';

const flow = (name: string) => `pravah: 1\nname: ${name}\ninput: A\noutput: A\nschemas:\n  A: {}\nnodes: []\n`;

it('opens a flow with what was read of its text and of its draft, and reads neither again', () => {
  const path = 'a.flow.yaml';
  const saved = parseFlow(flow('Saved'), path);
  const edited = parseFlow(flow('Edited'), path);
  const draft = { text: edited.text, layout: null, base_hash: '1', saved_at: 0, restored: true };
  const content = { path, text: saved.text, hash: '1', layout: null, code: null, revision: null, draft, others: [] };
  const open = openFlow(content, (text) => [saved, edited].find((read) => read.text === text) ?? expect.fail('Another text is read.'));
  expect(open.parsed).toBe(edited);
  expect(open.synced.parsed).toBe(edited);
  expect(open.saved.parsed).toBe(saved);
});
