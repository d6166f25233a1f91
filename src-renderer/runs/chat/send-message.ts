import { failureOf } from '#renderer/api/failure.ts';
import { studio } from '#renderer/api/studio.ts';
import { editorStore, showFlow } from '#renderer/document/flows/editor.ts';
import type { BegunChat } from '#renderer/runs/conversations/chat-store.ts';
import { consentedRuns, runSessionStore } from '#renderer/runs/model/run-stores.ts';
import { isTriedPath } from '#shared/flow/tried-path.ts';
import { FlowError, type TransferableError } from '#shared/run/error.ts';
import type { ConversationEntry } from '#shared/run/message.ts';
import { inputOfMessage } from './chat-input.ts';
import { inputOf } from './talk-to-agent.ts';
import { texts } from './texts.ts';

/** What came of sending a message: the run that answers it, or why there is none. */
export type Sending = { readonly run_id: string } | { readonly failure: TransferableError };

/**
 * Goes on with a conversation: runs the flow of its last exchange, as it is now, with the input of that run and `text` as its message. The run is shown.
 * Waits for a command of the debugger that is in progress. Never rejects.
 */
export async function sendMessage(entries: readonly ConversationEntry[], text: string): Promise<Sending> {
  const last = entries.findLast(({ role, entry }) => role === 'user' && entry.entry_id === entry.exchange);
  if (!last) return { failure: new FlowError('Invalid', texts.nothingSaid).toJSON() };
  try {
    const { flow_path, flow_text, input: earlier } = await studio.runs.get({ run_id: last.entry.run_id });
    const said = last.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
    const input = inputOfMessage(earlier, said, text);
    if (input === null) return { failure: new FlowError('Invalid', texts.noField(flow_path)).toJSON() };
    if (!isTriedPath(flow_path)) await showFlow(flow_path);
    // An agent that was tried by itself has no file, and neither has a flow that was removed since.
    const current = editorStore.getState().flows[flow_path]?.parsed.text ?? flow_text;
    const run_id = await started(async () => (await consentedRuns.start({ flow_path, text: current, input })).run_id);
    await runSessionStore.getState().continue();
    return { run_id };
  } catch (thrown) {
    return { failure: failureOf(thrown) };
  }
}

/** Sends the first message of a new conversation. The run is shown. Never rejects. */
export async function sendFirst(chat: BegunChat, text: string): Promise<Sending> {
  const { flow_path, flow_text } = chat;
  try {
    const run_id = await started(
      async () => (await consentedRuns.start({ flow_path, text: flow_text, input: inputOf(chat, text) })).run_id,
    );
    await runSessionStore.getState().continue();
    return { run_id };
  } catch (thrown) {
    return { failure: failureOf(thrown) };
  }
}

/** Shows the run that `start` makes, once no other command is in progress. Throws what `start` throws. */
async function started(start: () => Promise<string>): Promise<string> {
  const { replace } = runSessionStore.getState();
  let run_id = '';
  const prepare = async () => {
    run_id = await start();
    return run_id;
  };
  while (!(await replace(prepare))) await idle();
  return run_id;
}

/** Resolves when the debugger has no command in progress. */
function idle(): Promise<void> {
  if (!runSessionStore.getState().call) return Promise.resolve();
  return new Promise((resolve) => {
    const unsubscribe = runSessionStore.subscribe(({ call }) => {
      if (call) return;
      unsubscribe();
      resolve();
    });
  });
}
