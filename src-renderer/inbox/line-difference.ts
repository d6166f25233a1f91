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
    if (added || removed) return block(added ? 'added' : 'removed', texts);
    return unchanged(texts, index === 0 ? 0 : context, index === changes.length - 1 ? 0 : context);
  });
  const all = lines.flat();
  const count = (kind: DifferenceLine['kind']) => all.filter((line) => line.kind === kind).length;
  return { lines: all, added: count('added'), removed: count('removed') };
}
