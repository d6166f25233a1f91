import { z } from 'zod';
import { bodyEvaluator, isPureBody } from '#main/engine/bodies/body.ts';
import type { Effect } from '#main/engine/ports/recorder.ts';
import type { EvaluateBody, NodeShape } from '#main/engine/step/node-plan.ts';
import type { Step } from '#main/engine/step/step.ts';
import { freezeJson } from '#main/engine/values/freeze-json.ts';
import type { AgentSettings } from '#shared/flow/document.ts';
import type { NodeBody } from '#shared/flow/graph.ts';
import { isJsonObject, type Json, type JsonObject, toJson } from '#shared/json.ts';
import { roughSchema } from '#shared/rough-schema.ts';
import { FlowError, fromTransferable } from '#shared/run/error.ts';
import type { ControlPoint, Decision, LoopState } from '#shared/run/loop-state.ts';
import { programFunction } from './program-function.ts';

const decisionSchema = roughSchema<Decision>(z.looseObject({ do: z.string() }));
const largestState = 64 * 1024;
const words = ['continue', 'redirect', 'conclude', 'suspend', 'abort'] as const;

/** What steers an agent: asked before each model call, before its tool calls and after them. */
export class Controller {
  readonly #evaluate: EvaluateBody;
  readonly #isPure: boolean;

  constructor(evaluate: EvaluateBody, isPure: boolean) {
    this.#evaluate = evaluate;
    this.#isPure = isPure;
  }

  /** The controller of an agent node; null if it has none. */
  static of(shape: NodeShape): Controller | null {
    const { body } = shape.node;
    const control = body.type === 'agent' ? (body.controller ?? bodyOf(body.agent)) : null;
    if (!control) return null;
    if (control.type === 'function') return new Controller(programFunction(shape, control, 'The controller'), false);
    const { node, inputs, outputs } = shape;
    const evaluate = bodyEvaluator({ node: { ...node, body: control }, inputs, outputs });
    return evaluate && new Controller(evaluate, isPureBody(control));
  }

  /**
   * Its decision, which is recorded as an effect of the step. A replay uses it; it asks an expression and sandboxed code once more and reports another
   * decision. Throws `HandlerError` for one that cannot be followed.
   */
  async decide(step: Step, loop: LoopState, tools: ReadonlySet<string>): Promise<Decision> {
    const decide = async (seconds = loop.seconds): Promise<Json> => {
      const answer = await this.#evaluate(step.withValues([toJson({ ...loop, seconds })]));
      const decision = read(answer);
      const fault = typeof decision === 'string' ? decision : faultOf(decision, tools);
      if (fault !== null)
        throw new FlowError('HandlerError', `The controller of ${step.node} ${fault}.`, { node: step.node, retryable: false });
      return decision;
    };
    const effect: Effect = {
      key: `control ${loop.point}`,
      kind: 'handler',
      node: step.node,
      name: this.#isPure ? 'control' : 'control function',
      input: { point: loop.point, turn: loop.turn },
      repeatable: true,
      // Other code may do something outside.
      ...(this.#isPure && { again: ({ before, after }) => decide(loop.point === 'after_tools' ? after : before) }),
    };
    const outcome = await step.effect(effect, () => decide());
    if ('error' in outcome) throw fromTransferable(outcome.error);
    const decision = decisionSchema.parse(outcome.result);
    if (step.listening) {
      const { do: what, guidance, tools: held } = decision;
      step.emit({
        type: 'control',
        node: step.node,
        point: loop.point as ControlPoint,
        do: what,
        ...(guidance !== undefined && { guidance }),
        ...(held && { tools: [...held] }),
      });
    }
    return decision;
  }
}

function bodyOf({ control }: AgentSettings): NodeBody | null {
  if (!control) return null;
  if ('expr' in control) return { type: 'expr', source: control.expr };
  return 'run' in control ? { type: 'run', source: control.run, tools: [] } : null;
}

/** Reads an answer: a word or an object. Returns what is wrong with it as a string. */
function read(answer: unknown): JsonObject | string {
  const notJson = freezeJson(answer);
  if (notJson) return `answers with ${notJson.message}`;
  const decision = typeof answer === 'string' ? { do: answer } : (answer as Json);
  return isJsonObject(decision) ? decision : 'has to answer with a word or an object';
}

function faultOf(decision: JsonObject, tools: ReadonlySet<string>): string | null {
  const { do: what, guidance, tools: held, state, reason, value } = decision;
  if (!words.some((word) => word === what)) return `answers ${JSON.stringify(what ?? null)}; it can be ${words.join(', ')}`;
  if (guidance !== undefined && typeof guidance !== 'string') return 'gives guidance that is no text';
  if (what === 'abort' && typeof reason !== 'string') return 'aborts without a reason: add "reason"';
  if (what === 'suspend' && value === undefined) return 'suspends without a question: add "value"';
  if (held !== undefined) {
    if (!Array.isArray(held)) return 'gives tools that are no list';
    const unknown = held.find((name) => typeof name !== 'string' || !tools.has(name));
    if (unknown !== undefined) return `names the tool ${JSON.stringify(unknown)}, which the agent does not have`;
  }
  const size = state === undefined ? 0 : new TextEncoder().encode(JSON.stringify(state)).length;
  return size > largestState ? `keeps a state of ${size.toLocaleString('en')} bytes; at most 65,536 are possible` : null;
}
