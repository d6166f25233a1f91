import type { EvaluateBody, NodeShape } from '#main/engine/step/node-plan.ts';
import type { Step } from '#main/engine/step/step.ts';
import { freezeJson } from '#main/engine/values/freeze-json.ts';
import type { AgentSettings } from '#shared/flow/document.ts';
import { faultOfSettings } from '#shared/flow/settings-by-input.ts';
import { literalTemplate } from '#shared/flow/template.ts';
import { toolUse } from '#shared/flow/tool-use.ts';
import { isJsonObject, type Json, type JsonObject } from '#shared/json.ts';
import { FlowError, fromTransferable } from '#shared/run/error.ts';
import { programFunction } from './program-function.ts';

const keys = ['params', 'limits', 'memory', 'preamble', 'prompt', 'tools', 'model'] as const;
const texts = ['memory', 'preamble', 'prompt'] as const;

/** The function of a program that gives an agent settings for an input. */
export class SettingsFunction {
  readonly #evaluate: EvaluateBody;
  readonly #settings: AgentSettings;
  readonly #models: ReadonlySet<string>;

  constructor(evaluate: EvaluateBody, settings: AgentSettings, models: readonly string[]) {
    this.#evaluate = evaluate;
    this.#settings = settings;
    this.#models = new Set([settings.model, ...models]);
  }

  /** The function of an agent node; null if it has none. */
  static of(shape: NodeShape): SettingsFunction | null {
    const { body } = shape.node;
    if (body.type !== 'agent' || !body.chooser) return null;
    return new SettingsFunction(programFunction(shape, body.chooser, 'The settings'), body.agent, body.models ?? []);
  }

  /**
   * What it returns for the input of a step, which is recorded as an effect of it. Throws `HandlerError` `CONFIG_SETTINGS_INVALID` for what the agent
   * cannot have.
   */
  async choose(step: Step): Promise<JsonObject> {
    const effect = { key: 'settings', kind: 'handler', node: step.node, name: 'settings function', input: null, repeatable: true } as const;
    const outcome = await step.effect(effect, async () => {
      const made = await this.#evaluate(step.withValues([step.input]));
      const chosen = freezeJson(made) ? null : (made as Json);
      const fault = this.#faultOf(chosen);
      if (fault === null) return chosen;
      const more = { code: 'CONFIG_SETTINGS_INVALID', category: 'configuration', retryable: false } as const;
      throw new FlowError('HandlerError', `The settings function of ${step.node} ${fault}.`, { node: step.node, ...more });
    });
    if ('error' in outcome) throw fromTransferable(outcome.error);
    return outcome.result as JsonObject;
  }

  /** The agent's settings with what was chosen. Texts are taken as they are: braces insert nothing. */
  with(chosen: JsonObject): AgentSettings {
    const { params, limits, tools, model } = chosen;
    const kept = (this.#settings.tools ?? []).filter((use) => Array.isArray(tools) && tools.includes(toolUse(use).name));
    const said = texts.flatMap((key) => (chosen[key] === undefined ? [] : [[key, literalTemplate(String(chosen[key]))] as const]));
    return {
      ...this.#settings,
      ...(isJsonObject(params) && { params: { ...this.#settings.params, ...params } }),
      ...(isJsonObject(limits) && { limits: { ...this.#settings.limits, ...limits } }),
      ...Object.fromEntries(said),
      ...(tools !== undefined && { tools: kept }),
      ...(model !== undefined && { model: String(model) }),
    };
  }

  #faultOf(chosen: Json): string | null {
    if (!isJsonObject(chosen)) return 'has to return an object';
    const unknown = Object.keys(chosen).find((key) => !keys.some((known) => known === key));
    if (unknown !== undefined) return `returns ${JSON.stringify(unknown)}; it can return ${keys.join(', ')}`;
    const text = texts.find((key) => chosen[key] !== undefined && typeof chosen[key] !== 'string');
    if (text !== undefined) return `returns a ${text} that is not a text`;
    const { model, tools, params, limits } = chosen;
    if (model !== undefined && !(typeof model === 'string' && this.#models.has(model)))
      return `returns the model ${JSON.stringify(model)}, which is not one of "models"`;
    return this.#faultOfTools(tools) ?? faultOfSettings('params', params) ?? faultOfSettings('limits', limits);
  }

  #faultOfTools(tools: Json | undefined): string | null {
    if (tools === undefined) return null;
    if (!Array.isArray(tools)) return 'returns tools that are no list';
    const own = (this.#settings.tools ?? []).map((use) => toolUse(use).name);
    const foreign = tools.find((name) => typeof name !== 'string' || !own.includes(name));
    return foreign === undefined ? null : `returns the tool ${JSON.stringify(foreign)}, which the agent does not have`;
  }
}
