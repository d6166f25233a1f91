import { expect, it } from 'vitest';
import { importDify } from '#shared/import/dify/dify-app.ts';
import { importLangflow } from '#shared/import/langflow/langflow-flow.ts';
import { importLangGraph } from '#shared/import/langgraph/langgraph-graph.ts';
import { importN8n } from '#shared/import/n8n/n8n-workflow.ts';
import type { Json } from '#shared/json.ts';

type Import = typeof importN8n;

/** What an import leaves out of a file. */
function leftOut(read: Import, value: Json): string[] {
  const found: string[] = [];
  read(value, (code, at, message) => {
    if (code === 'import_ignored') found.push(`/${Array.isArray(at) ? at.join('/') : String(at)} ${message}`);
  });
  return found;
}

it('n8n: names retries, errors, timeouts, pinned data and the error workflow', () => {
  const node = (name: string, type: string, more: object = {}) => ({ name, type: `n8n-nodes-base.${type}`, parameters: {}, ...more });
  const value = {
    nodes: [
      node('Start', 'manualTrigger'),
      node('Fetch', 'httpRequest', {
        retryOnFail: true,
        maxTries: 5,
        onError: 'continueRegularOutput',
        executeOnce: true,
        parameters: { url: 'https://example.com', options: { timeout: 1000 } },
      }),
      node('Off', 'httpRequest', { retryOnFail: true, disabled: true }),
    ],
    connections: { Start: { main: [[{ node: 'Fetch', type: 'main', index: 0 }]] } },
    pinData: { Fetch: [{ json: { a: 1 } }], Start: [] },
    settings: { errorWorkflow: 'abc', executionTimeout: -1 },
  };
  expect(leftOut(importN8n, value as Json)).toEqual([
    '/nodes/1 “Fetch” runs without retries (5 tries), continuing after an error, “execute once”, the timeout (1000 ms). A failed step stops the run, and can be retried there. A node runs once here, with one item. Calls end after the time limit of their tool or model.',
    '/pinData/Fetch “Fetch” runs without its pinned data. Pin the output of the node in the studio (Debugging).',
    '/settings The workflow runs without the error workflow. Watch for failed runs with "pravah runs".',
  ]);
});

it('Dify: names retries, values after errors, timeouts, memory, parallel items and features of the page', () => {
  const node = (id: string, type: string, data: object = {}) => ({ id, data: { type, title: id, ...data } });
  const value = {
    app: { name: 'App', mode: 'workflow' },
    workflow: {
      features: { file_upload: { enabled: true }, speech_to_text: { enabled: false }, opening_statement: 'Hello.' },
      graph: {
        nodes: [
          node('start', 'start', { variables: [] }),
          node('http', 'http-request', {
            method: 'get',
            url: 'https://example.com',
            retry_config: { retry_enabled: true, max_retries: 2 },
            error_strategy: 'default-value',
            timeout: { max_connect_timeout: 0, read: 30 },
          }),
          node('end', 'end', { outputs: [] }),
        ],
        edges: [
          { source: 'start', target: 'http' },
          { source: 'http', target: 'end' },
        ],
      },
    },
  };
  expect(leftOut(importDify, value as Json)).toEqual([
    '/workflow/features The app runs without file upload, the opening statement. They belong to Dify’s own page.',
    '/workflow/graph/nodes/1/data “http” runs without retries (2), the value after an error, the timeouts. A failed step stops the run, and can be retried there. Calls end after the time limit of their tool or model.',
  ]);
});

it('Langflow: names frozen results, retries and timeouts', () => {
  const template = { max_retries: { value: 3 }, timeout: { value: 20 } };
  const nodes = [{ id: 'a', data: { type: 'ChatOutput', node: { display_name: 'Out', frozen: true, template } } }];
  expect(leftOut(importLangflow, { name: 'F', data: { nodes, edges: [] } } as Json)).toEqual([
    '/data/nodes/0 “Out” runs without its frozen result, retries (3), the timeout (20 s). Pin the output of the node in the studio (Debugging). A failed step stops the run, and can be retried there. Calls end after the time limit of their tool or model.',
  ]);
});

it('LangGraph: names nodes that wait for a person', () => {
  const nodes = [
    { id: '__start__', type: 'schema', data: '__start__' },
    { id: 'ask', type: 'runnable', data: { name: 'ask' }, metadata: { __interrupt: 'before' } },
  ];
  expect(leftOut(importLangGraph, { nodes, edges: [{ source: '__start__', target: 'ask' }] } as Json)).toEqual([
    '/nodes/1 “ask” waits for a person (before), which is left out: put a Suspend node there.',
  ]);
});
