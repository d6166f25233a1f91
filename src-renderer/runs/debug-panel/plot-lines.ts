interface Point {
  readonly seq: number;
  readonly value: number | null;
}

/** A plot, ready to be drawn. */
export interface Plot {
  /** Points of polylines: one for each stretch without gaps. */
  readonly lines: readonly string[];
  readonly least: number;
  readonly most: number;
}

/** Returns the lines of a value over the steps of a run, as steps: a value lasts until the next point. Points without a value leave a gap. */
export function plotLines(
  points: readonly Point[],
  last: number,
  { width, height }: { readonly width: number; readonly height: number },
): Plot {
  const values = points.flatMap(({ value }) => (value === null ? [] : [value]));
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const x = (seq: number) => round((seq / Math.max(1, last)) * width);
  // A line along the edge would be cut in half.
  const y = (value: number) => round(most === least ? height / 2 : 2 + (1 - (value - least) / (most - least)) * (height - 4));
  const lines: string[] = [];
  let line: string[] = [];
  for (const [index, { seq, value }] of points.entries()) {
    if (value === null) {
      if (line.length > 0) lines.push(line.join(' '));
      line = [];
      continue;
    }
    const end = points[index + 1]?.seq ?? last;
    line.push(`${x(seq)},${y(value)}`, `${x(end)},${y(value)}`);
  }
  if (line.length > 0) lines.push(line.join(' '));
  return { lines, least, most };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
