import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startStudio, temporaryPlaces } from '#main/services/testing/studio-client.ts';

// Each test starts threads of its own, which takes seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const text = `pravah: 1
name: Ask
input: A
output: C
schemas: { A: { type: object }, B: { type: object }, C: { type: object } }
nodes:
  - { kind: work, from: A, to: B }
  - { kind: suspend, title: Approve the reply, from: B, to: C }
`;

async function waitingRun() {
  const { folder } = await temporaryPlaces(onTestFinished);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, '.env'), 'CRM_TOKEN=hunter2-hunter2\n');
  const { client } = startStudio(onTestFinished, folder);
  const { run_id: runId } = await client.runs.start({ flow_path: 'a.flow.yaml', text, input: {} });
  await client.runs.step({ run_id: runId, mode: 'into' });
  const { suspensions } = await client.runs.step({ run_id: runId, mode: 'into' });
  const [asked] = suspensions;
  if (!asked) throw new Error('Nothing waits.');
  return { client, asked, question: { run_id: runId, tool_call_id: asked.tool_call_id }, answers: join(folder, '.pravah', 'answers') };
}

test('an answer draft is stored without known secrets and removed with the answer', async () => {
  const { client, asked, question, answers } = await waitingRun();
  expect(asked.title).toBe('Approve the reply');
  const draft = { mode: 'edit' as const, value: { note: 'use hunter2-hunter2' }, reason: '' };
  expect(await client.runs.saveAnswerDraft({ ...question, draft, based_on: 0 })).toEqual({ status: 'saved', revision: 1 });
  const [file = ''] = await readdir(answers);
  expect(await readFile(join(answers, file), 'utf8')).not.toContain('hunter2');
  expect(await client.runs.readAnswerDraft(question)).toMatchObject({ value: { note: 'use {secret:CRM_TOKEN}' }, revision: 1 });
  await client.runs.resume({ ...question, tool_id: asked.tool_id, payload: {} });
  expect(await readdir(answers)).toEqual([]);
  expect(await client.runs.saveAnswerDraft({ ...question, draft, based_on: 1 })).toEqual({ status: 'settled' });
});

test('a run that is deleted takes its drafts along', async () => {
  const { client, question, answers } = await waitingRun();
  await client.runs.saveAnswerDraft({ ...question, draft: { mode: 'refuse', reason: 'no' }, based_on: 0 });
  await client.runs.remove({ run_id: question.run_id });
  expect(await readdir(answers)).toEqual([]);
});
