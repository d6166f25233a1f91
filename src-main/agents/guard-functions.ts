import type { EvaluateBody, NodeShape } from '#main/engine/step/node-plan.ts';
import type { Step } from '#main/engine/step/step.ts';
import { freezeJson } from '#main/engine/values/freeze-json.ts';
import { isJsonObject, type Json, toJson } from '#shared/json.ts';
import { FlowError, fromTransferable } from '#shared/run/error.ts';
import { programFunction } from './program-function.ts';

/** What a function says of a value. */
interface FunctionVerdict {
  readonly pass: boolean;
  readonly reason?: string;
}

/** The functions of a program that check what goes into an agent and comes out of it. */
export class GuardFunctions {
  readonly #functions: ReadonlyMap<string, EvaluateBody>;

  constructor(functions: ReadonlyMap<string, EvaluateBody>) {
    this.#functions = functions;
  }

  /** Those of an agent node; null if it has none. */
  static of(shape: NodeShape): GuardFunctions | null {
    const { body } = shape.node;
    if (body.type !== 'agent' || !body.guard_functions) return null;
    const entries = Object.entries(body.guard_functions);
    return new GuardFunctions(new Map(entries.map(([place, call]) => [place, programFunction(shape, call, `The check ${place}`)])));
  }

  /** Whether the check at a place (`output/0`) is a function. */
  has(place: string): boolean {
    return this.#functions.has(place);
  }

  /** Its verdict, which is recorded as an effect of the step: a replay does not ask. Throws `HandlerError` for a result that is no verdict. */
  async verdict(step: Step, place: string, value: Json): Promise<FunctionVerdict> {
    const evaluate = this.#functions.get(place) as EvaluateBody;
    const effect = {
      key: `guard ${place}`,
      kind: 'handler',
      node: step.node,
      name: 'guard function',
      input: place,
      repeatable: true,
    } as const;
    const outcome = await step.effect(effect, async () => toJson(checked(step, place, await evaluate(step.withValues([value])))));
    if ('error' in outcome) throw fromTransferable(outcome.error);
    return checked(step, place, outcome.result);
  }
}

function checked({ node }: Step, place: string, made: unknown): FunctionVerdict {
  const answer = freezeJson(made) ? null : (made as Json);
  const { pass, reason } = isJsonObject(answer) ? answer : {};
  if (typeof pass === 'boolean' && (reason === undefined || typeof reason === 'string'))
    return { pass, ...(reason !== undefined && { reason }) };
  const message = `The check ${place} of ${node} has to return { pass, reason }: true or false, and a text.`;
  throw new FlowError('HandlerError', message, { node, retryable: false });
}
