import { parsedText } from '#renderer/document/graph/parsed-text.ts';
import { parseJson } from '#renderer/ui/forms/parse-json.ts';
import type { Variant } from '#shared/contract/matrix.ts';
import { anyAgent } from '#shared/flow/any-agent.ts';
import { isJsonObject, type Json } from '#shared/json.ts';
import { combineVariants, unchangedVariant } from '#shared/run/combine-variants.ts';

/** An agent whose prompt may vary. */
export interface PromptedAgent {
  readonly node: string;
  readonly title: string;
  readonly prompt: string;
}

/** What varies in a matrix, as it is entered. */
export interface MatrixInput {
  readonly models: readonly string[];
  /** Prompts by agent. */
  readonly prompts: Readonly<Record<string, readonly string[]>>;
  /** Values of limits: of the flow (`*`) or of an agent. */
  readonly limits: readonly LimitInput[];
  /** Values of states, as JSON text. */
  readonly states: readonly StateInput[];
  readonly repeat: number;
  readonly flow: Variant['flow'];
}

export type LimitName = keyof Variant['limits'][string];

export interface LimitInput {
  readonly node: string;
  readonly limit: LimitName;
  readonly value: number;
}

export interface StateInput {
  readonly state: string;
  readonly text: string;
}

/** Why the value of a state can't be read; null if it can, or is empty. */
export function stateFault({ text }: StateInput): string | null {
  const read = text.trim() === '' ? null : parseJson(text);
  return read && 'error' in read ? read.error : null;
}

/** The agents in the text of a flow. */
export function promptedAgents(text: string, path: string): PromptedAgent[] {
  return (parsedText(text, path).outline.nodes ?? []).flatMap(({ id, raw: { agent, title } }) => {
    if (!isJsonObject(agent)) return [];
    const prompt = typeof agent.prompt === 'string' ? agent.prompt : '';
    return [{ node: id, title: typeof title === 'string' ? title : id, prompt }];
  });
}

/** The variants of what is entered, without empty fields; none if nothing varies. */
export function variantsOf({ models, prompts, limits, states, repeat, flow }: MatrixInput, agents: readonly PromptedAgent[]): Variant[] {
  const urls = models.map((url) => url.trim()).filter((url) => url !== '');
  const byAgent = agents.map(({ node, title }) =>
    (prompts[node] ?? [])
      .filter((prompt) => prompt.trim() !== '')
      .map((prompt, index, all) => ({
        label: all.length === 1 ? `${title}: new prompt` : `${title}: prompt ${index + 1}`,
        prompts: { [node]: prompt },
      })),
  );
  const byLimit = [...Map.groupBy(limits, ({ node, limit }) => `${limit} ${node}`).values()].map((values) =>
    values.map(({ node, limit, value }) => {
      const title = node === anyAgent ? '' : `${agents.find((agent) => agent.node === node)?.title ?? node}: `;
      return { label: `${title}${limit} ${value}`, limits: { [node]: { [limit]: value } } };
    }),
  );
  const byState = [...Map.groupBy(states.flatMap(readState), ({ name }) => name).values()].map((values) =>
    values.map((state, index) => ({ label: values.length === 1 ? `new ${state.name}` : `${state.name} ${index + 1}`, states: [state] })),
  );
  const byModel = urls.map((url) => ({ label: url, models: { [anyAgent]: url } }));
  const variants = combineVariants([byModel, ...byAgent, ...byLimit, ...byState], repeat, flow);
  return variants.length === 1 && variants[0]?.name === unchangedVariant ? [] : variants;
}

function readState({ state, text }: StateInput): { name: string; value: Json }[] {
  const read = text.trim() === '' ? { error: '' } : parseJson(text);
  return 'value' in read ? [{ name: state, value: read.value }] : [];
}
