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

/** Unchanged lines kept on either side of a change. */
const context = 3;
/** Bounds of the comparison, in edits and milliseconds: beyond them the whole text is shown as replaced, rather than the window held up. */
const bounds = { maxEditLength: 5000, timeout: 250 };

function linesOf(text: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** Ends of changed lines as they are: two lines must not look alike where they differ in what is not seen. */
function withEndsShown(texts: readonly string[], value: string): string[] {
  const shown = texts.map((text) => text.replace(/[ \t]+$/, (blanks) => blanks.replaceAll(' ', '·').replaceAll('\t', '→')));
  const last = shown.at(-1);
  return last === undefined || value.endsWith('\n') ? shown : [...shown.slice(0, -1), `${last} ⟨no line end⟩`];
}

function block(kind: 'same' | 'added' | 'removed', texts: readonly string[]): DifferenceLine[] {
  return texts.map((text) => ({ kind, text }));
}

/** Unchanged lines, those far from a change left out. */
function unchanged(texts: readonly string[], head: number, tail: number): DifferenceLine[] {
  const left = texts.length - head - tail;
  if (left <= 1) return block('same', texts);
  const skipped: DifferenceLine = { kind: 'skipped', text: `${left} unchanged lines` };
  return [...block('same', texts.slice(0, head)), skipped, ...block('same', texts.slice(texts.length - tail))];
}

/** The lines of two texts as a difference, with far unchanged lines left out. `before` is null where there is no file yet. */
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
