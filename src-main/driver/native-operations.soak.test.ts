import { availableParallelism } from 'node:os';
import { expect, test, vi } from 'vitest';
import { RunThread } from '#main/driver/run-thread.ts';
import { documentOf, TestWorkspace } from '#main/driver/testing.ts';
import { endlessBody, nativeOperations } from '#main/runtime/testing/native-operations.ts';

vi.setConfig({ testTimeout: 120_000, maxConcurrency: availableParallelism() });

// The real limit takes each of them six seconds of computing: `npm run soak`.
test.concurrent.for(nativeOperations)('fails a run whose body repeats $title without end', async (operation) => {
  const workspace = new TestWorkspace();
  const nothing = () => {};
  const thread = new RunThread({
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
