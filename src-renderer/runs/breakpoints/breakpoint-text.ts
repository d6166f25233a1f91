import type { Breakpoint } from '#shared/contract/breakpoint.ts';
import { placeText, type Stop } from '#shared/run/stop.ts';
import { isOn } from './breakpoint-edits.ts';
import { texts } from './texts.ts';

/** When a breakpoint stops: `before`, `when it produces Small`, `Priced changed at /total`. */
export function kindText(breakpoint: Breakpoint): string {
  switch (breakpoint.kind) {
    case 'before':
      return breakpoint.turns ? texts.kinds.turns : texts.kinds.before;
    case 'after':
      return texts.kinds.after;
    case 'branch':
      return texts.kinds.branch(breakpoint.state);
    case 'state':
      return texts.kinds.state(breakpoint.on, breakpoint.path ?? '');
    case 'tool':
      return texts.kinds.tool[breakpoint.on];
    case 'model':
      return texts.kinds.model[breakpoint.on];
    case 'error':
      return breakpoint.variant ?? breakpoint.category ?? texts.kinds.error;
  }
}

/** What a breakpoint is set at: the title of its node, else a state or tool. */
export function subjectText(breakpoint: Breakpoint, title: string | undefined): string {
  switch (breakpoint.kind) {
    case 'before':
    case 'after':
    case 'branch':
      return title ?? breakpoint.anchor?.title ?? breakpoint.node;
    case 'state':
      return breakpoint.state;
    case 'tool':
      return breakpoint.tool;
    case 'model':
      return title ?? texts.anyModel;
    case 'error':
      return title ?? texts.anyStep;
  }
}

/** The kind with its condition, hits and log text: `before if total > 100`. */
export function detailText(breakpoint: Breakpoint): string {
  const { condition, hits, log } = breakpoint;
  return [
    log === undefined ? kindText(breakpoint) : texts.log(log),
    condition !== undefined && texts.condition(condition),
    hits !== undefined && texts.hitsFilter(hits),
  ]
    .filter(Boolean)
    .join(' ');
}

/** Names a breakpoint on the canvas and in the outline: `Breakpoint 2, before if total > 100, off`. */
export function whatText(breakpoint: Breakpoint, number: number): string {
  return [texts.named(number), detailText(breakpoint), isOn(breakpoint) ? '' : texts.off].filter(Boolean).join(', ');
}

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'];

function timesText(hits: number): string {
  return texts.time(ordinals[hits - 1] ?? `${hits}${suffixOf(hits)}`);
}

function suffixOf(number: number): string {
  if (Math.floor((number % 100) / 10) === 1) return 'th';
  return ['th', 'st', 'nd', 'rd'][number % 10] ?? 'th';
}

/** The breakpoint that stopped a run, with its number in the list; null if it has been removed since. */
function hitOf(stop: Stop, breakpoints: readonly Breakpoint[]): { readonly number: number; readonly reason: string } | null {
  const [first] = stop.breakpoints;
  const position = breakpoints.findIndex(({ id }) => id === first?.id);
  const breakpoint = breakpoints[position];
  if (!first || !breakpoint) return null;
  // A stop for a failed condition says so after the id of the breakpoint.
  const fault = /, stopped because (its condition failed\. .*)/s.exec(stop.text)?.[1];
  const reason = fault ?? breakpoint.condition ?? [kindText(breakpoint), subjectText(breakpoint, stop.place.at(-1)?.title)].join(' ');
  const times = first.hits > 1 && fault === undefined ? `, ${timesText(first.hits)}` : '';
  return { number: position + 1, reason: `${reason}${times}` };
}

/** Says why a run stopped: `Paused at breakpoint 2: total > 100, third time`. Null if no breakpoint stopped it. */
export function stopText(stop: Stop, breakpoints: readonly Breakpoint[]): string | null {
  if (stop.breakpoints.length === 0) return stop.point === 'hold' ? texts.heldAt(placeText(stop.place)) : null;
  const hit = hitOf(stop, breakpoints);
  if (stop.point === 'hold') return hit ? texts.held(hit.number, hit.reason) : texts.heldAt(placeText(stop.place));
  return hit ? texts.stopped(hit.number, hit.reason) : texts.stoppedAt(placeText(stop.place));
}

/** The same for the card at which it stopped: `2: total > 100, third time`. */
export function stopTextAtCard(stop: Stop, breakpoints: readonly Breakpoint[]): string | null {
  const hit = hitOf(stop, breakpoints);
  return hit && `${hit.number}: ${hit.reason}`;
}
