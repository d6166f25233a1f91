import type { ModelClient } from '#main/engine/ports/model-client.ts';
import { flowOf } from '#main/engine/testing/flows.ts';
import { Journal } from '#main/journal/journal.ts';
import { messageText } from '#main/models/message-text.ts';
import { createContext } from '#main/sdk/create-context.ts';
import { openJournal } from '#main/sdk/open-journal.ts';
import type { RecordedRun } from '#main/sdk/run-journal.ts';
import type { Json } from '#shared/json.ts';
import { FlowError } from '#shared/run/error.ts';

// A process that talks in one conversation, run by run, until it is killed: `FILE NAME`. With `rest`, it only ends the runs that others left.
const [file, name, rest] = process.argv.slice(2) as [string, string, string?];

const agent = {
  model: 'test://echo',
  mode: 'chat',
  prompt: '{text}',
  conversation: { scope: 'workspace', key: 'talk', busy: 'wait', wait_seconds: 600 },
} as const;
const flow = flowOf([{ kind: 'agent', from: ['A'], to: ['Z'], body: { type: 'agent', agent } }]);
const echo: ModelClient = {
  async complete({ messages }) {
    await new Promise((resolve) => setTimeout(resolve, 2));
    const [prompt] = messages.slice(-1);
    const text = `re: ${prompt && messageText(prompt)}`;
    return {
      message: { role: 'assistant', content: [{ type: 'text', text }] },
      finish_reason: 'stop',
      usage: { tokens_in: 1, tokens_out: 1 },
    } as const;
  },
};
const context = await createContext({ models: () => echo });
const journal = await openJournal(file);

async function end(run: RecordedRun<Json>): Promise<void> {
  for (;;) {
    let outcome = await run.next(context).catch((error: unknown) => {
      // It was killed while it waited for an answer to an earlier question.
      if (error instanceof FlowError && error.variant === 'ResumeRequired') return { type: 'suspend', tool_id: 'A::model' } as const;
      throw error;
    });
    if (outcome.type === 'suspend') outcome = await run.resume(context, outcome.tool_id, { retry: true });
    if (outcome.type === 'done') return run.close();
  }
}

/** Ends a run, unless the other process has taken it over. */
async function endUnlessOther(run: RecordedRun<Json>): Promise<void> {
  await end(run).catch((error: unknown) => {
    if (!(error instanceof FlowError && error.variant === 'Conflict')) throw error;
  });
}

/** Ends the runs that were killed, unless the other process does. Returns how many there were. */
async function endOthers(): Promise<number> {
  const reader = Journal.open(file);
  const open = reader.rows({ limit: 50 }).filter(({ status }) => status !== 'success');
  reader.close();
  // All at once: one that waited may have been killed after the one that it waits for.
  await Promise.all(open.map(({ run_id }) => endUnlessOther(journal.open(flow as never, run_id) as RecordedRun<Json>)));
  return open.length;
}

let left = await endOthers();
while (rest !== undefined && left > 0) left = await endOthers();
for (let number = 1; rest === undefined; number += 1) {
  await endUnlessOther(journal.start(flow as never, { text: `${name} ${number}` } as never) as RecordedRun<Json>);
  process.stdout.write(`${number}\n`);
  if (number % 5 === 0) await endOthers();
}
