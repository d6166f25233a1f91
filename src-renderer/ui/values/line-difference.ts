import { diffLines } from 'diff';

export interface DifferenceLine {
  readonly kind: 'same' | 'added' | 'removed' | 'skipped';
  readonly text: string;
}

export interface LineDifference {
  readonly lines: readonly DifferenceLine[];
  readonly added: number;
  readonly removed: number;
}

/** Unchanged lines shown on either side of a change. */
const context = 3;
/** Limits of the comparison, in edits and milliseconds: beyond them the whole text is shown as replaced, so that the window stays responsive. */
const bounds = { maxEditLength: 5000, timeout: 250 };

function linesOf(text: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** Marks invisible differences at the ends of changed lines, so that two different lines never look alike. */
function withEndsShown(texts: readonly string[], value: string): string[] {
  const shown = texts.map((text) => text.replace(/[ \t]+$/, (blanks) => blanks.replaceAll(' ', '·').replaceAll('\t', '→')));
  const last = shown.at(-1);
  return last === undefined || value.endsWith('\n') ? shown : [...shown.slice(0, -1), `${last} ⟨no line end⟩`];
}

function block(kind: 'same' | 'added' | 'removed', texts: readonly string[]): DifferenceLine[] {
  return texts.map((text) => ({ kind, text }));
}

/** Unchanged lines, without those far from a change. */
function unchanged(texts: readonly string[], head: number, tail: number): DifferenceLine[] {
  const left = texts.length - head - tail;
  if (left <= 1) return block('same', texts);
  const skipped: DifferenceLine = { kind: 'skipped', text: `${left} unchanged lines` };
  return [...block('same', texts.slice(0, head)), skipped, ...block('same', texts.slice(texts.length - tail))];
}

/** The lines of two texts as a difference, without unchanged lines far from a change. `before` is null when there is no file yet. */
export function lineDifference(before: string | null, after: string): LineDifference {
  const changes = diffLines(before ?? '', after, bounds) ?? [
    { value: before ?? '', removed: true, added: false },
    { value: after, removed: false, added: true },
  ];
  const lines = changes.map(({ value, added, removed }, index) => {
    const texts = linesOf(value);
    // A last line without an end is worth saying only where the other text ends otherwise.
    const endsAlike = (before ?? '').endsWith('\n') === after.endsWith('\n');
    if (added || removed) return block(added ? 'added' : 'removed', withEndsShown(texts, endsAlike ? '\n' : value));
    return unchanged(texts, index === 0 ? 0 : context, index === changes.length - 1 ? 0 : context);
  });
  const all = lines.flat();
  const count = (kind: DifferenceLine['kind']) => all.filter((line) => line.kind === kind).length;
  return { lines: all, added: count('added'), removed: count('removed') };
}
