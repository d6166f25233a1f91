import { parsedText } from '#renderer/document/graph/parsed-text.ts';
import type { Variant } from '#shared/contract/matrix.ts';
import { anyAgent } from '#shared/flow/any-agent.ts';
import { isJsonObject } from '#shared/json.ts';
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
  readonly repeat: number;
  readonly flow: Variant['flow'];
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
export function variantsOf({ models, prompts, repeat, flow }: MatrixInput, agents: readonly PromptedAgent[]): Variant[] {
  const urls = models.map((url) => url.trim()).filter((url) => url !== '');
  const byAgent = agents.map(({ node, title }) =>
    (prompts[node] ?? [])
      .filter((prompt) => prompt.trim() !== '')
      .map((prompt, index, all) => ({
        label: all.length === 1 ? `${title}: new prompt` : `${title}: prompt ${index + 1}`,
        prompts: { [node]: prompt },
      })),
  );
  const variants = combineVariants([urls.map((url) => ({ label: url, models: { [anyAgent]: url } })), ...byAgent], repeat, flow);
  return variants.length === 1 && variants[0]?.name === unchangedVariant ? [] : variants;
}
