import type { Breakpoint } from '#shared/contract/breakpoint.ts';
import type { DebugState } from '#shared/contract/debug.ts';
import { type BreakpointLook, lookOf } from './breakpoint-edits.ts';
import { whatText } from './breakpoint-text.ts';

/** A breakpoint as it is drawn on the canvas. */
export interface BreakpointSign extends BreakpointLook {
  readonly id: string;
  readonly label: string;
}

/** The breakpoints of the folder by where they are drawn. Each place has at most one sign: the first. */
export type BreakpointIndex = Readonly<Record<string, BreakpointSign>>;

/** Keys of the index. */
export const places = {
  before: (flow: string, node: string) => `before ${flow}#${node}`,
  after: (flow: string, node: string) => `after ${flow}#${node}`,
  branch: (flow: string, node: string, state: string) => `branch ${flow}#${node}->${state}`,
  state: (flow: string, state: string) => `state ${flow}#${state}`,
};

/** Signs that did not change keep their identity, so that their cards are not rendered again. */
export function indexOf({ breakpoints, unverified }: DebugState, before: BreakpointIndex): BreakpointIndex {
  const index: Record<string, BreakpointSign> = {};
  breakpoints.forEach((breakpoint, position) => {
    const place = placeOf(breakpoint);
    if (place === null || index[place]) return;
    const sign = { id: breakpoint.id, label: whatText(breakpoint, position + 1), ...lookOf(breakpoint, unverified) };
    const known = before[place];
    index[place] = known && isSameSign(known, sign) ? known : sign;
  });
  return index;
}

function placeOf(breakpoint: Breakpoint): string | null {
  switch (breakpoint.kind) {
    case 'before':
    case 'after':
      return places[breakpoint.kind](breakpoint.flow, breakpoint.node);
    case 'branch':
      return places.branch(breakpoint.flow, breakpoint.node, breakpoint.state);
    case 'state':
      return places.state(breakpoint.flow, breakpoint.state);
    default:
      return null;
  }
}

function isSameSign(one: BreakpointSign, other: BreakpointSign): boolean {
  return (Object.keys(other) as (keyof BreakpointSign)[]).every((key) => one[key] === other[key]);
}
