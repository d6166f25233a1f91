import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import { flowOf } from '#main/engine/testing/flows.ts';
import { MemoryRecorder } from '#main/engine/testing/memory-recorder.ts';
import { TestWorkspace } from '#main/engine/testing/workspace.ts';
import type { Json } from '#shared/json.ts';
import type { RunOutcome } from '#shared/run/snapshot.ts';

const append = (data: string): Json => ({ tool: 'storage', input: { path: 'log.txt', action: 'append', data } });
const ask = (question: string): Json => ({ tool: 'ask_user', input: { question } });

/** Two calls that are made at once, two that ask the user and one that has to be approved, all in one turn. */
function acting(space: TestWorkspace) {
  const model = space.script(
    {
      tool_calls: [
        append('a'),
        ask('one?'),
        append('b'),
        { tool: 'edit_file', input: { path: 'note.txt', old: 'draft', new: 'note' } },
        ask('two?'),
      ],
    },
    { expect: { contains: 'answer to two?' }, output: 'through' },
  );
  const tools = ['storage', 'ask_user', { use: 'edit_file', approve: 'always' as const }];
  return flowOf([{ kind: 'agent', from: ['A'], to: ['Z'], body: { type: 'agent', agent: { model, tools } } }]);
}

/** Answers each question. For a call with an unknown outcome, the user checks whether it was made. */
function answerTo({ reason, value }: Extract<RunOutcome, { type: 'suspend' }>, space: TestWorkspace): Json {
  if (reason === 'unknown_outcome') {
    const { data, path } = (value as { input: { data?: string; path?: string } }).input;
    const isMade = path !== undefined && existsSync(join(space.folder, path)) && space.read(path).includes(data ?? 'note');
    return isMade ? { result: { content: data ?? null, success: true } } : { retry: true };
  }
  return reason === 'approval' ? { approve: true } : `answer to ${(value as { question: string }).question}`;
}

/**
 * Makes the run with a process that ends at its `at`th chance, before an effect is made or after, and takes it up again from what was written down.
 * Resolves to false if there were fewer chances.
 */
async function endingAt(at: number): Promise<boolean> {
  using space = new TestWorkspace();
  space.write('note.txt', 'draft');
  const graph = acting(space);
  const recorder = new MemoryRecorder();
  let chances = 0;
  recorder.crashAt = () => ++chances === at;
  let runtime = FlowRuntime.new(graph, {}, { recorder, run_id: 'run' });
  const questions: string[] = [];
  let outcome: RunOutcome = { type: 'continue' };
  while (outcome.type !== 'done') {
    const goOn = async (last: RunOutcome): Promise<RunOutcome> => {
      if (last.type !== 'suspend') return runtime.next(space.context);
      const { tool_id, tool_call_id, reason } = last;
      questions.push(`${reason} ${tool_call_id.slice(-1)}`);
      return runtime.resume(space.context, tool_id, answerTo(last, space), { tool_call_id });
    };
    outcome = await goOn(outcome).catch((): RunOutcome => {
      recorder.crashAt = () => false;
      const snapshot = JSON.parse(JSON.stringify(runtime.snapshot())) as ReturnType<FlowRuntime['snapshot']>;
      runtime = FlowRuntime.fromSnapshot(graph, snapshot, { recorder }).withHistory(runtime.history());
      return { type: 'continue' };
    });
  }
  expect(outcome).toEqual({ type: 'done', output: 'through' });
  expect([...space.read('log.txt')].sort().join('')).toBe('ab');
  expect(space.read('note.txt')).toBe('note');
  const results = runtime.history().A?.find(({ role }) => role === 'tool')?.content ?? [];
  expect(results.map((part) => part.type === 'tool_result' && [part.tool, part.is_error])).toEqual([
    ...[
      ['storage', false],
      ['ask_user', false],
      ['storage', false],
      ['edit_file', false],
      ['ask_user', false],
    ],
  ]);
  // In the order of the calls, each asked once, except for the question about a call with an unknown outcome.
  const asked = questions.filter((question) => !question.startsWith('unknown_outcome'));
  expect(asked).toEqual(['call 1', 'approval 3', 'call 4']);
  return at <= chances;
}

it('an act that is lost at any point and taken up again makes each call once and asks each question once, in call order', async () => {
  let at = 1;
  while (await endingAt(at)) at += 1;
  expect(at).toBeGreaterThan(10);
});
