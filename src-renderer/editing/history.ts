/** One thing that undo takes back: how everything was before it, and its name for the user. */
export interface HistoryStep<Content> {
  readonly label: string;
  readonly before: Content;
  /** Edits of the same place that follow one another quickly become one step. */
  readonly merge: string | null;
  readonly at: number;
}

/** What can be undone and redone. `future` holds undone steps, the next one to redo last, with the content after each. */
export interface History<Content> {
  readonly past: readonly HistoryStep<Content>[];
  readonly future: readonly HistoryStep<Content>[];
}

/** Typing in one place is one step until a pause of this many milliseconds. */
const mergeWithin = 1500;
const keptSteps = 300;

export const emptyHistory: History<never> = { past: [], future: [] };

/** Notes that `before` is about to be replaced. What had been undone cannot be redone any more. */
export function recorded<Content>(
  history: History<Content>,
  step: { readonly before: Content; readonly label: string; readonly merge?: string | null; readonly at: number },
): History<Content> {
  const last = history.past.at(-1);
  const merge = step.merge ?? null;
  if (last && merge !== null && last.merge === merge && step.at - last.at < mergeWithin && history.future.length === 0) {
    return { past: [...history.past.slice(0, -1), { ...last, at: step.at }], future: [] };
  }
  return { past: [...history.past, { label: step.label, before: step.before, merge, at: step.at }].slice(-keptSteps), future: [] };
}

/** Takes the last step back: the content to show, the new history and the step's label. Null when there is none. */
export function undone<Content>(history: History<Content>, current: Content) {
  const step = history.past.at(-1);
  if (!step) return null;
  const future = [...history.future, { ...step, before: current, merge: null }];
  return { content: step.before, label: step.label, history: { past: history.past.slice(0, -1), future } };
}

/** Does the step that was undone last again; the mirror of `undone`. */
export function redone<Content>(history: History<Content>, current: Content) {
  const step = history.future.at(-1);
  if (!step) return null;
  const past = [...history.past, { ...step, before: current, merge: null }];
  return { content: step.before, label: step.label, history: { past, future: history.future.slice(0, -1) } };
}

/** Goes to where `past` has this many steps, over all that lies between: the content to show and the new history. Null where nothing is to be done. */
export function jumped<Content>(history: History<Content>, current: Content, steps: number) {
  const all = history.past.length + history.future.length;
  if (steps === history.past.length || steps < 0 || steps > all) return null;
  let at = { content: current, history };
  while (at.history.past.length !== steps) {
    const next = at.history.past.length > steps ? undone(at.history, at.content) : redone(at.history, at.content);
    if (!next) return null;
    at = next;
  }
  return at;
}
