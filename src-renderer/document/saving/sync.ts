import { follow } from '#renderer/api/follow.ts';
import { studio } from '#renderer/api/studio.ts';
import { isSynced, layoutOf, type OpenFlow, stateIn, withContent, withSynced } from '#renderer/document/editing/open-flow.ts';
import { changeFlow, closeFlow, editorStore } from '#renderer/document/flows/editor.ts';
import { announce } from '#renderer/shell/announcer.ts';
import { noticeFailure } from '#renderer/shell/notices.ts';
import type { FlowContent } from '#shared/contract/flows.ts';
import { texts } from './texts.ts';

/** Identifies this window to the service, which notifies it of changes by the others. */
export const windowId = crypto.randomUUID();

/** An edit in flight: changes that arrive meanwhile are handled after its response. */
interface Flight {
  readonly landed: Promise<void>;
  waiting: FlowContent | null;
}

const flights = new Map<string, Flight>();
let failed = false;

/**
 * Sends this window's version of a flow, and applies the merged result. `base_hash` names the file that the edits are based on, if it is
 * another one than before. Resolves to true when the edits are on disk; to false when they could not be saved, which has been reported.
 */
export async function sendEdits(path: string, base_hash?: string): Promise<boolean> {
  for (let flight = flights.get(path); flight; flight = flights.get(path)) await flight.landed;
  const flow = editorStore.getState().flows[path];
  if (!flow || flow.code || isSynced(flow)) return true;
  let land = () => {};
  const flight: Flight = { landed: new Promise((resolve) => (land = resolve)), waiting: null };
  flights.set(path, flight);
  try {
    await send(flow, base_hash);
    failed = false;
    return true;
  } catch (thrown) {
    // Reported once, not at every keystroke.
    if (!failed) noticeFailure(texts.draftNotStored, thrown);
    failed = true;
    return false;
  } finally {
    flights.delete(path);
    land();
    if (flight.waiting) takeContent(flight.waiting);
  }
}

async function send(flow: OpenFlow, base_hash: string | undefined): Promise<void> {
  const { path, parsed, revision } = flow;
  const sent = stateIn(flow);
  const edit = { path, window: windowId, revision, text: parsed.text, layout: layoutOf(flow) };
  const answer = await studio.flows.edit(base_hash === undefined ? edit : { ...edit, base_hash });
  if (answer.status === 'accepted') {
    changeFlow(path, (open) => withSynced(open, sent, answer.revision));
    return;
  }
  const settled = answer.status === 'refused';
  changeFlow(path, (open) => withContent(open, answer.content, { at: performance.now(), sent, settled }));
  if (settled) announce(texts.conflict);
}

/** Applies the version that all windows share now. Further edits of this window are sent. */
export function takeContent(content: FlowContent): void {
  const { path } = content;
  const flight = flights.get(path);
  if (flight) {
    flight.waiting = content;
    return;
  }
  changeFlow(path, (open) => withContent(open, content, { at: performance.now() }));
  const flow = editorStore.getState().flows[path];
  if (flow && !isSynced(flow)) void sendEdits(path);
}

/** Reloads an open flow. Throws when its file is gone or can't be read. */
export async function readAgain(path: string): Promise<void> {
  takeContent(await studio.flows.read({ path }));
}

/** Closes a tab once its edits are stored; it stays open while they can't be. */
export async function closeTab(path: string): Promise<void> {
  if (await sendEdits(path)) closeFlow(path);
}

/** Follows changes of the open flows by other windows and programs. Returns the function that stops this. */
export function followWindows(): () => void {
  return follow({
    subscribe: async (signal) => {
      const changes = await studio.flows.watch({ window: windowId }, { signal });
      // Catch up: at the start nothing is open yet; after a break much may have changed.
      for (const { path, code } of Object.values(editorStore.getState().flows)) if (!code) void readAgain(path).catch(() => undefined);
      return changes;
    },
    onItem: takeContent,
  });
}
