import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import type { ContractRouterClient } from '@orpc/contract';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { runCommandLine } from '#main/hosts/cli/command-line/command-line.ts';
import { createRun, recorderOf } from '#main/journal/testing.ts';
import { closeJournals, openWorkspaceJournals } from '#main/journal/workspace-journals.ts';
import { studio } from '#main/services/implementer.ts';
import { servePort } from '#main/services/serve-port.ts';
import { startStudio, temporaryPlaces } from '#main/services/testing/studio-client.ts';
import type { contract } from '#shared/contract/index.ts';
import type { RunDetail } from '#shared/contract/runs.ts';
import { readingPort, servingPort } from '#shared/contract/text-port.ts';
import { FlowError, flowErrorVariants, fromTransferable, ToolError, type TransferableError, toolErrorVariants } from '#shared/run/error.ts';

const cause = new ToolError('Io', 'No space is left.', { tool_id: 'A::write_file', details: { path: 'a.txt' } }).toJSON();
const options = { node: 'A', details: { path: '/x', list: [1, { deep: null }] }, cause };
const failures: readonly TransferableError[] = [
  ...flowErrorVariants.map((variant) => new FlowError(variant, `${variant}: what, where, what to do`, options)),
  ...toolErrorVariants.map((variant) => new ToolError(variant, `${variant}: what, where, what to do`, { ...options, retryable: true })),
].map((error) => error.toJSON());

describe('a failure of any variant', () => {
  it('is the same once it is rebuilt from its JSON', () => {
    expect(failures).toHaveLength(29);
    for (const failure of failures) {
      const error = fromTransferable(JSON.parse(JSON.stringify(failure)) as TransferableError);
      expect(error).toBeInstanceOf(failure.type === 'FlowError' ? FlowError : ToolError);
      expect(error.toJSON()).toEqual(failure);
    }
  });

  it('is the same when a run on record is asked for it, by the studio and by the command line', async () => {
    const { folder } = await temporaryPlaces(onTestFinished);
    const runs = await failedRuns(folder);
    const { client } = startStudio(onTestFinished, folder);
    const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    onTestFinished(() => printed.mockRestore());
    for (const [runId, failure] of runs) {
      expect((await client.runs.get({ run_id: runId })).error).toEqual(failure);
      printed.mockClear();
      await runCommandLine(['show', runId, '--folder', folder, '--json']);
      expect((JSON.parse(String(printed.mock.calls[0]?.[0])) as RunDetail).error).toEqual(failure);
    }
  });

  it('is the same to the page when a call of the studio throws it', async () => {
    let thrown = failures[0] as TransferableError;
    const client = connectedTo(() => {
      throw fromTransferable(thrown);
    });
    for (const failure of failures) {
      thrown = failure;
      await expect(client.app.info()).rejects.toMatchObject({ code: 'FAILED', data: failure });
    }
  });
});

/** One run for each failure, each ended by it, in the folder's journal. */
async function failedRuns(folder: string): Promise<(readonly [run_id: string, TransferableError])[]> {
  const journals = await openWorkspaceJournals(folder);
  try {
    return failures.map((error) => {
      const runId = createRun(journals.main, null);
      const recorder = recorderOf(journals.main, runId, 'token');
      recorder.end({ status: 'error', failure: { error, events: [] } });
      recorder.close();
      return [runId, error] as const;
    });
  } finally {
    closeJournals(journals);
  }
}

/** A page's client of a studio whose `app.info` does this. */
function connectedTo(info: () => never): ContractRouterClient<typeof contract> {
  const { services } = startStudio(onTestFinished, undefined);
  const { port1, port2 } = new MessageChannel();
  const listening = (port: MessagePort) => (name: string, listener: (event: { data: unknown }) => void) =>
    port.on(name, (data: unknown) => listener({ data }));
  servePort(
    { ...services.router, app: { ...services.router.app, info: studio.app.info.handler(info) } },
    servingPort(port1, listening(port1)),
  );
  const reading = readingPort(port2, listening(port2));
  onTestFinished(() => reading.close());
  return createORPCClient(new RPCLink({ port: reading }));
}
