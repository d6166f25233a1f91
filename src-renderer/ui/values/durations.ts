import { texts } from './texts.ts';

/** A duration as people read it: `3 ms`, `1.4 s`, `2 min 5 s`. */
export function durationText(milliseconds: number): string {
  if (milliseconds < 1) return '< 1 ms';
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.round(seconds % 60)} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** A span in whole seconds and above, as a running clock shows it: `12 s`, `3 min`. */
export function waitText(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  return seconds < 60 ? `${seconds} s` : durationText(Math.floor(seconds / 60) * 60_000).replace(' 0 s', '');
}

/** How long ago a moment was, roughly: `just now`, `12 s ago`, `3 min ago`. */
export function agoText(then: number, now: number): string {
  return now - then < 5000 ? texts.time.justNow : texts.time.ago(waitText(now - then));
}
