import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ModelClient } from '#main/engine/ports/model-client.ts';
import { flowOf } from '#main/engine/testing/flows.ts';
import type { TypedFlowGraph } from '#shared/flow/graph.ts';
import type { Json } from '#shared/json.ts';
import { createContext } from './create-context.ts';
import { openJournal } from './open-journal.ts';

test('a run whose agent sends the last messages copies no more of a long conversation than these', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pravah-long-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const journal = await openJournal(join(folder, 'runs.db'));
  onTestFinished(() => journal.close());
  const client: ModelClient = {
    complete: async () => ({
      message: { role: 'assistant', content: [{ type: 'text', text: 'yes' }] },
      finish_reason: 'stop',
      usage: { tokens_in: 1, tokens_out: 1 },
    }),
  };
  const context = await createContext({ models: () => client });
  const agent = { model: 'test://m', mode: 'chat', context: { last: 4 }, conversation: { scope: 'workspace', key: 'k' } } as const;
  const flow = flowOf([{ kind: 'agent', from: ['A'], to: ['Z'], body: { type: 'agent', agent } }]) as TypedFlowGraph<Json, Json>;
  const copied: number[] = [];
  for (let number = 0; number < 5; number += 1) {
    const run = journal.start(flow, { number });
    await run.toEnd(context);
    copied.push(run.history()['@workspace/k']?.length ?? 0);
    expect(await journal.replay(flow, run.run_id)).toMatchObject({ divergence: null });
    run.close();
  }
  // What it has read, and its own question and answer.
  expect(copied).toEqual([2, 4, 6, 6, 6]);
  expect(journal.conversations.entries('k')).toHaveLength(10);
});
