/** One undo step: the content before it, and its name for the user. */
export interface HistoryStep<Content> {
  readonly label: string;
  readonly before: Content;
  /** Edits with the same key in quick succession become one step. */
  readonly merge: string | null;
  readonly at: number;
  /** The content on the step's other side, after edits of another window: undo and redo preserve those edits. */
  readonly seam?: Content;
}

/**
 * The undo and redo steps. `future` contains the undone steps, the next one to redo last, with the content after each.
 */
export interface History<Content> {
  readonly past: readonly HistoryStep<Content>[];
  readonly future: readonly HistoryStep<Content>[];
}

/** Applies the change from `base` to `changed` to `current`. Returns null if it no longer applies. */
export type Rebase<Content> = (base: Content, changed: Content, current: Content) => Content | null;

/**
 * The result of undo or redo: the content to show, the new history and the step's label. `refused` names a step that
 * conflicts with edits of another window; it is dropped so that earlier steps remain reachable.
 */
export type Travel<Content> =
  | { readonly content: Content; readonly label: string; readonly history: History<Content>; readonly refused?: undefined }
  | { readonly refused: string; readonly history: History<Content>; readonly content?: undefined; readonly label?: undefined };

/** Edits with the same key merge unless they are this many milliseconds apart. */
const mergeWithin = 1500;
const keptSteps = 300;

export const emptyHistory: History<never> = { past: [], future: [] };

/** Records that `before` is about to be replaced. Undone steps can no longer be redone. */
export function recorded<Content>(
  history: History<Content>,
  step: { readonly before: Content; readonly label: string; readonly merge?: string | null; readonly at: number },
): History<Content> {
  const last = history.past.at(-1);
  const merge = step.merge ?? null;
  const continues = last && merge !== null && last.merge === merge && step.at - last.at < mergeWithin && !('seam' in last);
  if (continues && history.future.length === 0) return { past: [...history.past.slice(0, -1), { ...last, at: step.at }], future: [] };
  return { past: [...history.past, { label: step.label, before: step.before, merge, at: step.at }].slice(-keptSteps), future: [] };
}

/** Records that another window is about to replace `current`. Not an undo step: undo affects own edits only. */
export function interrupted<Content>(history: History<Content>, current: Content): History<Content> {
  return { past: withSeam(history.past, current), future: withSeam(history.future, current) };
}

/** Undoes the last step. Returns null if there is none. */
export function undone<Content>(history: History<Content>, current: Content, rebase?: Rebase<Content>): Travel<Content> | null {
  const moved = moveStep(history.past, history.future, current, rebase);
  return moved && { ...moved.result, history: { past: moved.from, future: moved.to } };
}

/** Redoes the step that was undone last. */
export function redone<Content>(history: History<Content>, current: Content, rebase?: Rebase<Content>): Travel<Content> | null {
  const moved = moveStep(history.future, history.past, current, rebase);
  return moved && { ...moved.result, history: { past: moved.to, future: moved.from } };
}

/** Undoes or redoes until `past` has this many steps. Returns null if it already has. */
export function jumped<Content>(
  history: History<Content>,
  current: Content,
  steps: number,
  rebase?: Rebase<Content>,
): Travel<Content> | null {
  const all = history.past.length + history.future.length;
  if (steps === history.past.length || steps < 0 || steps > all) return null;
  let at = { content: current, label: '', history };
  while (at.history.past.length !== steps) {
    const next = (at.history.past.length > steps ? undone : redone)(at.history, at.content, rebase);
    if (!next) return null;
    if (next.refused !== undefined) return { refused: next.refused, history };
    at = next;
  }
  return at;
}

type Steps<Content> = readonly HistoryStep<Content>[];

function withSeam<Content>(steps: Steps<Content>, seam: Content): Steps<Content> {
  const last = steps.at(-1);
  return last && !('seam' in last) ? [...steps.slice(0, -1), { ...last, seam }] : steps;
}

/**
 * Moves the last step of one list to the other: its content becomes current, and the current content becomes its way
 * back.
 */
function moveStep<Content>(from: Steps<Content>, to: Steps<Content>, current: Content, rebase: Rebase<Content> = () => null) {
  const step = from.at(-1);
  if (!step) return null;
  const { seam: _seam, ...plain } = step;
  const origin = 'seam' in step ? (step.seam as Content) : current;
  const content = 'seam' in step ? rebase(origin, step.before, current) : step.before;
  const rest = from.slice(0, -1);
  if (content === null) return { result: { refused: step.label }, from: withSeam(rest, step.before), to };
  const moved = { ...plain, before: origin, merge: null };
  // The step leads to `before`, but the current content also has another window's edits.
  const interruptedHere = content !== step.before;
  return {
    result: { content, label: step.label },
    from: interruptedHere ? withSeam(rest, step.before) : rest,
    to: [...to, interruptedHere ? { ...moved, seam: step.before } : moved],
  };
}
