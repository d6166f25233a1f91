import type { EvaluateBody, NodeShape } from '#main/engine/step/node-plan.ts';
import type { Step } from '#main/engine/step/step.ts';
import { freezeJson } from '#main/engine/values/freeze-json.ts';
import { messageText } from '#main/models/message-text.ts';
import { isJsonObject, type Json, toJson } from '#shared/json.ts';
import { FlowError, fromTransferable } from '#shared/run/error.ts';
import type { ConversationEntry } from '#shared/run/message.ts';
import type { SummaryRequest } from '#shared/run/summary-request.ts';
import { programFunction } from './program-function.ts';

/** What a summary replaces, and its text. */
export interface MadeSummary {
  readonly summary: string;
  readonly upTo: number;
}

/** The function of a program that summarises an agent's kept conversation. */
export class Summariser {
  readonly #evaluate: EvaluateBody;

  constructor(evaluate: EvaluateBody) {
    this.#evaluate = evaluate;
  }

  /** The function of an agent node; null where a model summarises. */
  static of(shape: NodeShape): Summariser | null {
    const { body } = shape.node;
    return body.type === 'agent' && body.summariser ? new Summariser(programFunction(shape, body.summariser, 'The summariser')) : null;
  }

  /**
   * Its summary of these entries, which is recorded as an effect of the step: a replay uses it and does not ask. Throws `HandlerError` for a result that
   * cannot be used.
   */
  async summarise(step: Step, entries: readonly ConversationEntry[], before: ConversationEntry | null): Promise<MadeSummary> {
    const request = requestOf(entries, before);
    const effect = {
      key: 'summary',
      kind: 'handler',
      node: step.node,
      name: 'summary function',
      input: { from: entries[0]?.entry.position ?? 0, to: entries.at(-1)?.entry.position ?? 0 },
      repeatable: true,
    } as const;
    const outcome = await step.effect(effect, async () => {
      const made = await this.#evaluate(step.withValues([toJson(request)]));
      return toJson(checked(step, request, made));
    });
    if ('error' in outcome) throw fromTransferable(outcome.error);
    return checked(step, request, outcome.result);
  }
}

function requestOf(entries: readonly ConversationEntry[], before: ConversationEntry | null): SummaryRequest {
  return {
    entries: entries.map((message, index) => ({
      position: message.entry.position,
      role: message.role,
      text: messageText(message),
      ends: entries[index + 1]?.entry.exchange !== message.entry.exchange,
    })),
    summary: before ? messageText(before) : null,
  };
}

function checked(step: Step, { entries }: SummaryRequest, made: unknown): MadeSummary {
  const result = freezeJson(made) ? null : (made as Json);
  const { summary, upTo = entries.at(-1)?.position } = isJsonObject(result) ? result : {};
  if (typeof summary !== 'string') throw unusable(step, 'has to return { summary, upTo }, with a text as summary');
  const ends = entries.filter((entry) => entry.ends).map(({ position }) => position);
  const end = ends.find((position) => position === upTo);
  if (end === undefined) throw unusable(step, `returns upTo ${JSON.stringify(upTo)}; exchanges end at ${ends.join(', ')}`);
  return { summary, upTo: end };
}

function unusable({ node }: Step, fault: string): FlowError {
  return new FlowError('HandlerError', `The function that summarises for ${node} ${fault}.`, { node, retryable: false });
}
