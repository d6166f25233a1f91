import { expect, it } from 'vitest';
import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import type { ModelClient } from '#main/engine/ports/model-client.ts';
import { quietContext } from '#main/engine/testing/flows.ts';
import { loadWorkflow } from '#main/workspace/load-workflow.ts';
import { defaultSettings } from '#main/workspace/settings.ts';

/** Runs a PyFlow workflow of four parallel agents, and counts the model calls that are in progress at once. */
async function mostAtOnce(ahead: number): Promise<number> {
  const names = ['a', 'b', 'c', 'd'];
  const agents = names.map((name) => ({ name, type: 'llm', model: 'openai://m', instruction: 'Say something.', output_key: name }));
  const text = JSON.stringify({ name: 'w', agents, orchestration: { type: 'parallel', agents: names } });
  const { graph } = loadWorkflow(text, 'workflow.yaml', { folder: '/nowhere', settings: defaultSettings, trusted: false });
  if (!graph) throw new Error('The workflow did not compile.');
  let [now, most] = [0, 0];
  const model: ModelClient = {
    complete: async () => {
      now += 1;
      most = Math.max(most, now);
      for (let turn = 0; turn < 60; turn += 1) await new Promise(setImmediate);
      now -= 1;
      const message = { role: 'assistant', content: [{ type: 'text', text: 'said' }] } as const;
      return { message: { ...message, content: [...message.content] }, finish_reason: 'stop', usage: { tokens_in: 1, tokens_out: 1 } };
    },
  };
  const run = FlowRuntime.new<unknown>({ ...graph, parallel: { ahead } }, {});
  expect(await run.toEnd(quietContext({ models: () => model }))).toMatchObject({ type: 'done' });
  return most;
}

it("asks the models of PyFlow's parallel agents at once", async () => {
  expect(await mostAtOnce(8)).toBe(4);
  expect(await mostAtOnce(1)).toBe(1);
});
