import { describe, expect, it } from 'vitest';
import { parseFlow } from '#shared/flow/parse-flow.ts';
import { findInFlow } from './find-in-flow.ts';

const flow = parseFlow(
  `pravah: 1
name: Triage
input: Ticket
output: Answer
schemas:
  Ticket: { type: object, properties: { subject: { type: string } } }
  Answer: { type: string, description: "${'long '.repeat(40)}needle${' tail'.repeat(40)}" }
nodes:
  - kind: work
    title: Read it
    from: Ticket
    to: Read
    note: why the Subject matters
    run: |
      (ticket) => {
        const subject = ticket.subject.trim();
        return { subject };
      }
  - kind: agent
    from: Read
    to: Answer
    agent:
      model: script://a.json
      prompt: Say what the subject {subject} is about.
      tools: [{ use: read_file, approve: always }]
`,
  'triage.flow.yaml',
);
const found = (words: string) => findInFlow(flow, words).map(({ node, where, line, start, end }) => [node, where, line.slice(start, end)]);

describe('finding in a flow', () => {
  it('searches code line by line, notes, prompts and schemas, case-insensitively', () => {
    expect(found('subject')).toEqual([
      ['Ticket', 'note', 'Subject'],
      ['Ticket', 'run, line 2', 'subject'],
      ['Ticket', 'run, line 3', 'subject'],
      ['Read', 'agent.prompt', 'subject'],
      ['Ticket', 'schema', 'subject'],
    ]);
  });

  it('is case-sensitive if the query contains a capital', () => {
    expect(found('Subject')).toEqual([['Ticket', 'note', 'Subject']]);
  });

  it('finds states, titles and tools, but not keys or kinds', () => {
    expect(found('Read').map(([, where]) => where)).toEqual(['title', 'to', 'from']);
    expect(found('read_file')).toEqual([['Read', 'agent.tools.use', 'read_file']]);
    expect(found('prompt')).toEqual([]);
    expect(found('agent')).toEqual([]);
    expect(found('  ')).toEqual([]);
  });

  it('shortens a long line around the match', () => {
    const [match] = findInFlow(flow, 'needle');
    expect(match?.line.length).toBeLessThan(130);
    expect(match?.line.slice(match.start, match.end)).toBe('needle');
  });
});
