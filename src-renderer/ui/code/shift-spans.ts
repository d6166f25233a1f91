/**
 * The compiler's result with all spans of this file, at any depth, moved back by the code before the visible text.
 * Spans of other files stay; spans outside the visible text (`length` long) are dropped.
 */
export function shiftSpans(answer: unknown, file: string, shift: number, length: number): unknown {
  if (Array.isArray(answer)) {
    return answer.map((item) => shiftSpans(item, file, shift, length)).filter((item) => item !== outside);
  }
  if (typeof answer !== 'object' || answer === null) return answer;
  const record = answer as Readonly<Record<string, unknown>>;
  if (isOfOtherFile(record, file)) return record;
  const moved: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(record)) {
    const next = shiftSpans(value, file, shift, length);
    if (next === outside) return outside;
    moved[key] = next;
  }
  const place = typeof record.start === 'number' ? 'start' : typeof record.position === 'number' ? 'position' : null;
  if (place === null) return moved;
  const at = (record[place] as number) - shift;
  if (at < 0 || at > length) return outside;
  moved[place] = at;
  if (typeof record.length === 'number') moved.length = Math.min(record.length, length - at);
  return moved;
}

const outside = Symbol('outside of what is shown');

function isOfOtherFile({ fileName }: Readonly<Record<string, unknown>>, file: string): boolean {
  return typeof fileName === 'string' && fileName !== file;
}
