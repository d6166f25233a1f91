import { describe, expect, it } from 'vitest';
import type { ToolInfo } from '#shared/contract/tools.ts';
import { flowEntries, libraryEntries, ranked } from './library-entries.ts';

const tool = (name: string, description: string) => ({ name, description, asks: false }) as ToolInfo;
const entries = libraryEntries([
  tool('load_artifacts', 'Loads artifacts if there are some'),
  tool('save_artifact', 'Saves an artifact'),
  tool('exit_loop', 'Ends a loop'),
  tool('ask_user', 'Asks the user a question'),
  tool('http_request', 'Sends a request'),
]);

const first = (query: string) => ranked(entries, query)[0]?.label;

describe('the usual names', () => {
  it.each([
    ['if', 'Branch'],
    ['switch', 'Branch'],
    ['branch', 'Branch'],
    ['either', 'Branch'],
    ['route', 'Branch'],
    ['condition', 'Branch'],
    ['parallel', 'Fork'],
    ['split', 'Fork'],
    ['merge', 'Join'],
    ['wait for all', 'Join'],
    ['llm', 'Agent'],
    ['gpt', 'Agent'],
    ['prompt', 'Agent'],
    ['chat', 'Agent'],
    ['ai', 'Agent'],
    ['human', 'Wait for input'],
    ['approval', 'Wait for input'],
    ['approve', 'Wait for input'],
    ['form', 'Wait for input'],
    ['ask', 'Wait for input'],
    ['pause', 'Wait for input'],
    ['suspend', 'Wait for input'],
    ['work', 'Step'],
    ['step', 'Step'],
    ['flow', 'Nested flow'],
    ['loop', 'For each'],
    ['for', 'For each'],
    ['for each', 'For each'],
    ['each', 'For each'],
    ['map', 'For each'],
    ['iterate', 'For each'],
    ['subflow', 'Nested flow'],
    ['code', 'Code'],
    ['script', 'Code'],
    ['function', 'Code'],
    ['javascript', 'Code'],
    ['http', 'http_request'],
    ['request', 'http_request'],
  ])('%s finds %s first', (query, label) => expect(first(query)).toBe(label));
});

describe('ranked', () => {
  it('ranks whole words before prefixes before inner matches, and drops the rest', () => {
    const named = ['artifacts', 'iffy', 'if'].map((label) => ({ label, summary: '' }));
    expect(ranked([...named, { label: 'other', summary: '' }], 'if').map(({ label }) => label)).toEqual(['if', 'iffy', 'artifacts']);
  });

  it('keeps the order of the library without a query', () => {
    expect(ranked(entries, ' ')).toEqual(entries);
  });
});

describe('the flows that a node can run', () => {
  it('are the other flows of the folder, with paths relative to the current one', () => {
    const flows = ['mail/outer.flow.yaml', 'mail/inner.flow.yaml', 'shared.flow.json', 'made.flow.ts', 'workflow.yaml'].map((path) => ({
      path,
      name: path,
      has_draft: false,
    }));
    const files = (trusted: boolean) => flowEntries(flows, 'mail/outer.flow.yaml', trusted).map(({ payload }) => payload.file);
    expect(files(false)).toEqual(['./inner.flow.yaml', '../shared.flow.json']);
    // Flows in code run only in a trusted folder; a workflow is imported first.
    expect(files(true)).toEqual(['./inner.flow.yaml', '../shared.flow.json', '../made.flow.ts']);
  });
});
