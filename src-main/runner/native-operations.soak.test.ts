import { availableParallelism } from 'node:os';
import { expect, test, vi } from 'vitest';
import { endlessBody, nativeOperations } from '#main/engine/testing/native-operations.ts';
import { RunWorkerClient } from './run-worker-client.ts';
import { documentOf, TestWorkspace } from './testing.ts';

vi.setConfig({ testTimeout: 120_000, maxConcurrency: availableParallelism() });

// The real limit takes each of them six seconds of computing: `npm run soak`.
test.concurrent.for(nativeOperations)('fails a run whose body repeats $title without end', async (operation) => {
  const workspace = new TestWorkspace();
  const nothing = () => {};
  const thread = new RunWorkerClient({
    folder: workspace.folder,
    journal_path: workspace.journalPath,
    consented: true,
    allow_commands: [],
    allow_hosts: [],
    onEvents: nothing,
    onChange: nothing,
  });
  try {
    const text = JSON.stringify(documentOf('A', 'B', [{ kind: 'work', from: 'A', to: 'B', run: endlessBody(operation) }]));
    await thread.start({ flow_path: 'test.flow.json', text, input: 1 });
    expect(await thread.call({ type: 'continue' })).toMatchObject({ status: 'error', error: { variant: 'HandlerError', node: 'A' } });
  } finally {
    await thread.close();
    workspace.remove();
  }
});
