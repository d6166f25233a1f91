import type { Breakpoint, BreakpointOf } from '#shared/contract/breakpoint.ts';

/** Where a breakpoint can be set on the canvas: at a node, at one output of a node, or at a state. */
export type BreakpointTarget =
  | { readonly kind: 'before' | 'after'; readonly flow: string; readonly node: string }
  | { readonly kind: 'branch'; readonly flow: string; readonly node: string; readonly state: string }
  | { readonly kind: 'state'; readonly flow: string; readonly state: string; readonly on: BreakpointOf<'state'>['on'] };

/** A change to the stored breakpoints: a breakpoint to add or replace, or the id of one to remove. */
export type BreakpointChange = { readonly put: Breakpoint } | { readonly remove: string };

/** How a breakpoint is drawn: its shape, whether it is filled, a ring or dashed, and whether it has a condition. */
export interface BreakpointLook {
  readonly shape: 'dot' | 'diamond';
  readonly state: 'on' | 'off' | 'unverified';
  readonly conditional: boolean;
}

/** Returns the breakpoint at a target, if there is one. */
export function breakpointAt(breakpoints: readonly Breakpoint[], target: BreakpointTarget): Breakpoint | undefined {
  const fields = Object.entries(target);
  return breakpoints.find((breakpoint) => fields.every(([key, value]) => breakpoint[key as keyof Breakpoint] === value));
}

/** Adds a breakpoint at the target, or removes the one that is there. */
export function toggled(breakpoints: readonly Breakpoint[], target: BreakpointTarget, id: string): BreakpointChange {
  const known = breakpointAt(breakpoints, target);
  return known ? { remove: known.id } : { put: { id, ...target } };
}

/** The next of: on, off, removed. Without a breakpoint at the target, adds one. */
export function cycled(breakpoints: readonly Breakpoint[], target: BreakpointTarget, id: string): BreakpointChange {
  const known = breakpointAt(breakpoints, target);
  if (!known) return { put: { id, ...target } };
  return isOn(known) ? { put: switched(known, false) } : { remove: known.id };
}

export function isOn({ enabled }: Breakpoint): boolean {
  return enabled !== false;
}

/** The breakpoint turned on or off. */
export function switched({ enabled: _enabled, ...breakpoint }: Breakpoint, on: boolean): Breakpoint {
  return on ? breakpoint : { ...breakpoint, enabled: false };
}

/** Turns all on if none is, else all off. Returns only those that change. */
export function allSwitched(breakpoints: readonly Breakpoint[]): Breakpoint[] {
  const on = !breakpoints.some(isOn);
  return breakpoints.filter((breakpoint) => isOn(breakpoint) !== on).map((breakpoint) => switched(breakpoint, on));
}

/** The fields of the form, as text. Empty: not set. */
export interface BreakpointFields {
  readonly condition: string;
  readonly hits: string;
  readonly log: string;
  /** Id of another breakpoint. */
  readonly requires: string;
}

export function fieldsOf({ condition = '', hits = '', log = '', requires = '' }: Breakpoint): BreakpointFields {
  return { condition, hits, log, requires };
}

/** The breakpoint with the fields of the form. */
export function withFields(breakpoint: Breakpoint, fields: BreakpointFields): Breakpoint {
  const { condition: _condition, hits: _hits, log: _log, requires: _requires, ...rest } = breakpoint;
  const [condition, hits, log] = [fields.condition.trim(), fields.hits.replace(/\s/g, ''), fields.log.trim()];
  return {
    ...rest,
    ...(condition && { condition }),
    ...(hits && { hits }),
    ...(log && { log }),
    ...(fields.requires && { requires: fields.requires }),
  };
}

export function lookOf(breakpoint: Breakpoint, unverified: readonly string[]): BreakpointLook {
  return {
    shape: breakpoint.log === undefined ? 'dot' : 'diamond',
    state: unverified.includes(breakpoint.id) ? 'unverified' : isOn(breakpoint) ? 'on' : 'off',
    conditional: breakpoint.condition !== undefined,
  };
}
