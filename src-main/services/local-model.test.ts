import { realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { realParts, skipWithout } from '#main/models/testing/real-models.ts';
import { startStudio, temporaryPlaces } from '#main/services/testing/studio-client.ts';
import { slowness } from '#main/testing/slowness.ts';
import { capabilityKey } from '#shared/flow/capabilities/capability.ts';

// Threads and a model are started, which takes seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000 * slowness });

const flowOf = (model: string) => `pravah: 1
name: Talk
input: Question
output: Answer
schemas:
  Question: { type: object }
  Answer: { type: object, properties: { text: { type: string } }, required: [text] }
nodes:
  - kind: agent
    from: Question
    to: Answer
    agent:
      model: ${model}
      mode: chat
      prompt: Count to one thousand.
      params: { max_tokens: 900, options: { context_size: 1024, threads: 1, gpu: false } }
`;

describe.skipIf(skipWithout('local_model'))('a local model in a run of the studio', () => {
  test('speaks as it goes, is stopped within a second, and goes with its run', async () => {
    const { folder } = await temporaryPlaces(onTestFinished);
    const { client } = startStudio(onTestFinished, folder);
    const file = realpathSync(realParts.local_model ?? '');
    const text = flowOf(`llama://${file}`);
    writeFileSync(join(folder, 'talk.flow.yaml'), text);
    await client.models.addFile({ path: file });
    const reach = await client.consent.ofFlow({ path: 'talk.flow.yaml', text });
    await client.consent.confirm({ flow_path: 'talk.flow.yaml', keys: reach.capabilities.map(capabilityKey) });
    const run = await client.runs.start({ flow_path: 'talk.flow.yaml', text, input: {} });
    await client.runs.continue({ run_id: run.run_id });
    let stopped: Promise<number> | undefined;
    for await (const event of await client.runs.events({ run_id: run.run_id, after_seq: 0 })) {
      if (event.type === 'error') expect(event.error).toMatchObject({ variant: 'Cancelled' });
      if (event.type === 'message' && !stopped) {
        const asked = performance.now();
        stopped = client.runs.stop({ run_id: run.run_id }).then(() => performance.now() - asked);
      }
      if (event.type !== 'end_stream') continue;
      expect(event.status).toBe('cancelled');
      break;
    }
    expect(await stopped).toBeLessThan(2000 * slowness);
    expect(await client.runs.get({ run_id: run.run_id })).toMatchObject({ status: 'cancelled' });
  });
});
