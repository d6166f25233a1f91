import type { TokenMark } from '#renderer/stores/run-marks.ts';

/** What a token says when it is pointed at. */
export function tokenTitle(state: string, { preview, wrong }: TokenMark): string {
  if (wrong) return `${state} waits, and is never taken`;
  return preview === '' ? `${state} waits` : `${state} waits: ${preview}`;
}
