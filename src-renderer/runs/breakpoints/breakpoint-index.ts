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
  pin: (flow: string, node: string) => `pin ${flow}#${node}`,
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

/** The pin of a node, as its card shows it at every zoom. */
export interface PinSign {
  readonly id: string;
  /** `off`: it does not count, alone or because supplied outputs are switched off. */
  readonly state: 'on' | 'off' | 'unverified';
  /** The node is disabled: it returns what it consumes. */
  readonly disabled: boolean;
}

/** The pins of the folder by where they are drawn. */
export type PinIndex = Readonly<Record<string, PinSign>>;

/** Signs that did not change keep their identity. */
export function pinsOf({ supplied, supplied_on, unverified }: DebugState, before: PinIndex): PinIndex {
  const index: Record<string, PinSign> = {};
  for (const pin of supplied) {
    if (pin.kind !== 'pin') continue;
    const on = supplied_on && pin.enabled !== false;
    const state = unverified.includes(pin.id) ? 'unverified' : on ? 'on' : 'off';
    const sign: PinSign = { id: pin.id, state, disabled: pin.disabled === true };
    const place = places.pin(pin.flow, pin.node);
    const known = before[place];
    index[place] = known?.id === sign.id && known.state === sign.state && known.disabled === sign.disabled ? known : sign;
  }
  return index;
}
