import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { mostVariants, type Variant, variantSchema } from '#shared/contract/matrix.ts';
import type { FlowChoice } from '#shared/contract/time-travel.ts';
import { anyAgent } from '#shared/flow/any-agent.ts';
import { parseModelUrl } from '#shared/flow/model-url.ts';
import { combineVariants, repeated, unchangedVariant, type VariantChoice } from '#shared/run/combine-variants.ts';
import { UsageError } from './exit-codes.ts';
import { readJsonArgument } from './json-argument.ts';

export interface VariantOptions {
  readonly model: readonly string[];
  readonly prompt: readonly string[];
  readonly variants?: string;
  readonly repeat?: number;
  readonly currentFlow?: boolean;
}

/** Reads the variants of a command: every combination of a model and a prompt for each named agent, or the list of a file, each repeated. Throws `UsageError`. */
export function variantsOf({ model, prompt, variants: file, repeat = 1, currentFlow }: VariantOptions): Variant[] {
  if (file !== undefined && model.length + prompt.length > 0)
    throw new UsageError('Use either --variants or --model and --prompt, not both.');
  const flow: FlowChoice = currentFlow ? 'current' : 'recorded';
  const choices = [...byAgent(model.map(modelChoice)), ...byAgent(prompt.map(promptChoice))];
  const all = file === undefined ? combineVariants(choices, repeat, flow) : repeated(readVariants(file), repeat);
  if (all.length === 1 && all[0]?.name === unchangedVariant) {
    throw new UsageError('Nothing varies: use --model, --prompt, --repeat, --current-flow or --variants.');
  }
  if (all.length > mostVariants) throw new UsageError(`These are ${all.length} variants; a matrix has at most ${mostVariants}.`);
  return all;
}

/** One list of choices for each agent. */
function byAgent(choices: readonly (VariantChoice & { readonly agent: string })[]): VariantChoice[][] {
  const lists = new Map<string, VariantChoice[]>();
  for (const { agent, ...choice } of choices) lists.set(agent, [...(lists.get(agent) ?? []), choice]);
  return [...lists.values()];
}

/** `URL` for all agents, or `NODE=URL` for one. */
function modelChoice(text: string): VariantChoice & { readonly agent: string } {
  const [, agent = anyAgent, url = ''] = /^(?:([^=]+)=)?([a-z]+:\/\/.*)$/s.exec(text) ?? [];
  const parsed = parseModelUrl(url);
  if (!parsed.ok) throw new UsageError(`--model ${text}: ${parsed.message}`);
  return { agent, label: text, models: { [agent]: url } };
}

/** `NODE=TEXT` or `NODE=@FILE`. */
function promptChoice(text: string): VariantChoice & { readonly agent: string } {
  const at = text.indexOf('=');
  if (at <= 0) throw new UsageError(`Invalid --prompt value "${text}": use NODE=TEXT or NODE=@FILE.`);
  const [agent, given] = [text.slice(0, at), text.slice(at + 1)];
  const prompt = given.startsWith('@') ? readPrompt(given.slice(1)) : given;
  const label = given.startsWith('@') || given.length <= 40 ? text : `${text.slice(0, at + 40)}…`;
  return { agent, label, prompts: { [agent]: prompt } };
}

function readPrompt(file: string): string {
  try {
    return readFileSync(file, 'utf8').trimEnd();
  } catch (error) {
    throw new UsageError(`--prompt: can't read ${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function readVariants(text: string): Variant[] {
  const parsed = z.array(variantSchema).min(1).safeParse(readJsonArgument(text, '--variants'));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new UsageError(
    `--variants is not a list of variants: ${issue?.message ?? 'it is invalid'} (at ${issue?.path.join('/') || 'its root'}).`,
  );
}
