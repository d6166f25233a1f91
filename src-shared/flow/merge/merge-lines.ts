import { diffArrays } from 'diff';

/** What one side made of some lines of the base: the lines from `start` up to `end` became `lines`. */
interface Hunk {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

/** Bounds of the comparison, in edits and milliseconds. Texts that differ more are not merged. */
const bounds = { maxEditLength: 2000, timeout: 200 };

/**
 * Merges two edits of one text by lines. Null when both changed the same lines, or lines next to each other so that either may belong to what the
 * other added or removed.
 */
export function mergeLines(base: string, mine: string, theirs: string): string | null {
  if (mine === theirs || theirs === base) return mine;
  if (mine === base) return theirs;
  const lines = linesOf(base);
  const [ours, others] = [hunksOf(lines, linesOf(mine)), hunksOf(lines, linesOf(theirs))];
  if (!ours || !others) return null;
  const added = others.filter((hunk) => !ours.some((own) => isSame(own, hunk)));
  if (added.some((hunk) => ours.some((own) => collide(own, hunk)))) return null;
  return apply(lines, [...ours, ...added]);
}

/** Lines with their ends, so that a changed line end is a change, too. */
function linesOf(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}

function hunksOf(base: readonly string[], changed: readonly string[]): Hunk[] | null {
  const changes = diffArrays([...base], [...changed], bounds);
  if (!changes) return null;
  const hunks: Hunk[] = [];
  let position = 0;
  for (const { value, added, removed } of changes) {
    const last = hunks.at(-1);
    const end = removed ? position + value.length : position;
    if (!added && !removed) position += value.length;
    else if (last?.end === position)
      hunks[hunks.length - 1] = { start: last.start, end, lines: added ? [...last.lines, ...value] : last.lines };
    else hunks.push({ start: position, end, lines: added ? value : [] });
    if (removed) position = end;
  }
  return hunks;
}

function isSame(one: Hunk, other: Hunk): boolean {
  return one.start === other.start && one.end === other.end && one.lines.join('') === other.lines.join('');
}

function collide(one: Hunk, other: Hunk): boolean {
  if (one.start < other.end && other.start < one.end) return true;
  const touch = one.end >= other.start && other.end >= one.start;
  return touch && !(keepsLines(one) && keepsLines(other));
}

/** Each line was replaced by one: a neighbour's change cannot belong to it. */
function keepsLines({ start, end, lines }: Hunk): boolean {
  return lines.length === end - start;
}

function apply(base: readonly string[], hunks: readonly Hunk[]): string {
  let [result, position] = ['', 0];
  for (const { start, end, lines } of [...hunks].sort((one, other) => one.start - other.start)) {
    result += base.slice(position, start).join('') + lines.join('');
    position = end;
  }
  return result + base.slice(position).join('');
}
