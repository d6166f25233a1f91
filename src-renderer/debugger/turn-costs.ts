import type { AgentTurn } from '#shared/contract/runs.ts';
import { durationText } from './durations.ts';

/** What one turn of a model took, with the tools that it called. */
export interface TurnCost {
  /** Record of the model's answer. */
  readonly seq: number;
  readonly turn: number | null;
  readonly model: string | null;
  readonly tokens_in: number | null;
  readonly tokens_out: number | null;
  readonly duration_ms: number;
  /** Time of the tools that it called; 0 where it called none. */
  readonly tools_ms: number;
}

/**
 * What each of so many answers of a model took, in their order; null for one that is on no record of this run. They are told off from the last one on: a
 * fork begins with answers that its parent was given.
 */
export function turnCosts(answers: number, transitions: readonly AgentTurn[]): readonly (TurnCost | null)[] {
  const costs: TurnCost[] = [];
  for (const { phase, tokens: _tokens, ...transition } of transitions) {
    const last = costs.at(-1);
    if (phase === 'reason') costs.push({ ...transition, tools_ms: 0 });
    else if (last) costs[costs.length - 1] = { ...last, tools_ms: last.tools_ms + transition.duration_ms };
  }
  return Array.from({ length: answers }, (_, index) => costs[costs.length - answers + index] ?? null);
}

const number = new Intl.NumberFormat('en');

/** A turn's cost on one line: `gpt-5 · 1,284 tokens in, 120 out · 1.4 s · tools 320 ms`. */
export function costText({ model, tokens_in, tokens_out, duration_ms, tools_ms }: TurnCost): string {
  const tokens =
    tokens_in === null || tokens_out === null ? null : `${number.format(tokens_in)} tokens in, ${number.format(tokens_out)} out`;
  return [
    model?.replace(/^[a-z]+:\/\//, ''),
    tokens_in === 0 && tokens_out === 0 ? null : tokens,
    durationText(duration_ms),
    tools_ms > 0 ? `tools ${durationText(tools_ms)}` : null,
  ]
    .filter(Boolean)
    .join(' · ');
}
