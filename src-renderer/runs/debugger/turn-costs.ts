import { durationText } from '#renderer/ui/values/durations.ts';
import type { AgentTurn } from '#shared/contract/runs.ts';
import { costOf } from '#shared/run/model-cost.ts';
import type { ModelPrice } from '#shared/run/model-price.ts';
import { texts } from './texts.ts';

/** What one turn of a model took, with the tools that it called. */
export interface TurnCost {
  /** Record of the model's answer. */
  readonly seq: number;
  readonly turn: number | null;
  readonly model: string | null;
  readonly tokens_in: number | null;
  readonly tokens_out: number | null;
  readonly duration_ms: number;
  /** Number of its calls, of the model or of tools, that mocks answered. */
  readonly mocked: number;
  /** Time of the tools that it called; 0 where it called none. */
  readonly tools_ms: number;
}

/**
 * The costs of a model's last `answers` answers, in order; null for one that this run has not recorded. They are matched from the last one back, as a fork
 * begins with answers of its parent.
 */
export function turnCosts(answers: number, transitions: readonly AgentTurn[]): readonly (TurnCost | null)[] {
  const costs: TurnCost[] = [];
  for (const { phase, tokens: _tokens, ...transition } of transitions) {
    const last = costs.at(-1);
    if (phase === 'reason') costs.push({ ...transition, tools_ms: 0 });
    else if (last)
      costs[costs.length - 1] = { ...last, tools_ms: last.tools_ms + transition.duration_ms, mocked: last.mocked + transition.mocked };
  }
  return Array.from({ length: answers }, (_, index) => costs[costs.length - answers + index] ?? null);
}

const money = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });

export type ModelPrices = Readonly<Record<string, ModelPrice>>;

/** What a turn has cost in the user's currency; null where the model has no price or the tokens are not known. */
function priceOf({ model, tokens_in, tokens_out }: TurnCost, prices: ModelPrices): number | null {
  const price = model === null ? undefined : prices[model];
  if (!price || tokens_in === null || tokens_out === null) return null;
  return costOf({ tokens_in, tokens_out }, price);
}

/** A turn's cost on one line: `gpt-5 · 1,284 tokens in, 120 out · cost 0.0021 · 1.4 s · tools 320 ms`. */
export function costText(cost: TurnCost, prices: ModelPrices): string {
  const { model, tokens_in, tokens_out, duration_ms, tools_ms } = cost;
  const price = priceOf(cost, prices);
  const tokens = tokens_in === null || tokens_out === null ? null : texts.conversation.tokensInOut(tokens_in, tokens_out);
  return [
    model?.replace(/^[a-z]+:\/\//, ''),
    tokens_in === 0 && tokens_out === 0 ? null : tokens,
    price === null ? null : texts.conversation.cost(money.format(price)),
    durationText(duration_ms),
    tools_ms > 0 ? texts.conversation.toolsTime(durationText(tools_ms)) : null,
  ]
    .filter(Boolean)
    .join(' · ');
}
