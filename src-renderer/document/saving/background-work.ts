import { studio } from '#renderer/api/studio.ts';
import { isDirty, isSynced, type OpenFlow } from '#renderer/document/editing/open-flow.ts';
import { changeFlow, editorStore } from '#renderer/document/flows/editor.ts';
import { noticeFailure } from '#renderer/shell/notices.ts';
import { hearOfChanges, saveLayoutOf } from './saving.ts';
import { sendEdits } from './sync.ts';
import { texts } from './texts.ts';

/** Milliseconds after which an edit is sent to the other windows and saved as a draft. */
const draftDelay = 60;
const validationDelay = 120;

/** For a large flow, each of these carries the whole text, so that it is sent once for several keys: one more millisecond for each of these many characters. */
const charactersPerMillisecond = 1500;

/** Per flow: whether work is scheduled, running, or must run again. */
interface Work {
  timer: ReturnType<typeof setTimeout> | null;
  busy: boolean;
  again: boolean;
}

/**
 * Creates a worker that runs soon after a request for a flow: never twice at once, and once more for requests during a run. So the last
 * state always wins, and a slow disk or a long validation builds up no backlog.
 */
function worker(delay: number, act: (path: string) => Promise<void>): (path: string) => void {
  const works = new Map<string, Work>();
  const start = (path: string, work: Work) => {
    const length = editorStore.getState().flows[path]?.parsed.text.length ?? 0;
    work.timer = setTimeout(
      async () => {
        work.timer = null;
        work.busy = true;
        work.again = false;
        try {
          await act(path);
        } finally {
          work.busy = false;
          if (work.again) start(path, work);
          else works.delete(path);
        }
      },
      delay + length / charactersPerMillisecond,
    );
  };
  return (path) => {
    const work = works.get(path);
    if (!work) {
      const fresh: Work = { timer: null, busy: false, again: false };
      works.set(path, fresh);
      start(path, fresh);
    } else if (work.busy) work.again = true;
  };
}

/** Keeps drafts and findings up to date while flows are edited. Returns the function that stops this. */
export function startBackgroundWork(): () => void {
  const keepDraft = worker(draftDelay, async (path) => {
    const flow = editorStore.getState().flows[path];
    if (!flow?.code) await sendEdits(path);
    else await saveLayoutOf(flow).catch((thrown: unknown) => noticeFailure(texts.positionsNotSaved, thrown));
  });
  const validate = worker(validationDelay, async (path) => {
    const text = editorStore.getState().flows[path]?.parsed.text;
    if (text === undefined) return;
    try {
      const report = await studio.flows.validate({ path, text });
      changeFlow(path, (flow) => (flow.parsed.text === text ? { ...flow, report } : flow));
    } catch {
      // Keep the findings of the last text that was checked; the lost connection is reported elsewhere.
    }
  });

  const react = (flow: OpenFlow, before: OpenFlow | undefined) => {
    // A flow in code comes with its findings.
    if (flow.parsed !== before?.parsed && !flow.code) validate(flow.path);
    if (
      flow.code ? isDirty(flow) : flow.parsed !== before?.parsed || flow.positions !== before.positions || flow.extras !== before.extras
    ) {
      if (flow.code || !isSynced(flow)) keepDraft(flow.path);
    }
  };
  return editorStore.subscribe((state, before) => {
    if (state.flows === before.flows) return;
    for (const flow of Object.values(state.flows)) if (flow !== before.flows[flow.path]) react(flow, before.flows[flow.path]);
  });
}

/** Checks a flow again although its text is the same: files beside it, or the folder's trust, have changed. */
export async function validateAnew(path: string): Promise<void> {
  const flow = editorStore.getState().flows[path];
  if (!flow) return;
  if (flow.code) {
    await hearOfChanges([path]);
    return;
  }
  try {
    const report = await studio.flows.validate({ path, text: flow.parsed.text });
    changeFlow(path, (open) => (open.parsed === flow.parsed ? { ...open, report } : open));
  } catch {
    // As above.
  }
}
