import { afterEach, beforeEach, expect, it } from 'vitest';
import { agentTurns } from '#main/journal/agent-turns.ts';
import { TestWorkspace } from './testing.ts';

let workspace: TestWorkspace;
beforeEach(() => {
  workspace = new TestWorkspace();
});
afterEach(() => workspace.remove());

it('returns the model and tokens of each transition of an agent', async () => {
  workspace.write('talk.json', {
    turns: [
      { text: 'Let me see.', tool_calls: [{ tool: 'list_files', input: {} }], usage: { tokens_in: 70, tokens_out: 12 } },
      { output: { text: 'done' }, usage: { tokens_in: 90, tokens_out: 5 } },
    ],
  });
  const executor = await workspace.start(
    {
      pravah: 1,
      name: 'Talk',
      input: 'Ask',
      output: 'Answer',
      schemas: { Ask: {}, Answer: { type: 'object' } },
      nodes: [{ kind: 'agent', from: 'Ask', to: 'Answer', agent: { model: 'script://talk.json', prompt: 'Look', tools: ['list_files'] } }],
    },
    {},
  );
  await executor.continue();
  const row = workspace.journal.row(executor.runId);
  const turns = agentTurns(workspace.journal, row, 'Ask', row.last_seq);
  const seen = turns.map(({ seq, turn, phase, model, tokens, tokens_in, tokens_out }) => [
    seq,
    turn,
    phase,
    model,
    tokens,
    tokens_in,
    tokens_out,
  ]);
  expect(seen).toEqual([
    [1, 1, 'reason', 'script://talk.json', 82, 70, 12],
    [2, 1, 'act', null, 0, null, null],
    [3, 2, 'reason', 'script://talk.json', 95, 90, 5],
    [4, 2, 'act', null, 0, null, null],
  ]);
  expect(agentTurns(workspace.journal, row, 'Ask', 1)).toHaveLength(1);
  expect(agentTurns(workspace.journal, row, 'Absent', row.last_seq)).toEqual([]);
  // As a mock of the model would have left it.
  workspace.journal.database
    .prepare("INSERT INTO supplied (run, seq, attempt, key, mark) VALUES (?, 1, 1, 'model', ?)")
    .run(row.run, JSON.stringify({ by: 'mock', id: 'm1' }));
  expect(agentTurns(workspace.journal, row, 'Ask', row.last_seq).map(({ mocked }) => mocked)).toEqual([1, 0, 0, 0]);
});
