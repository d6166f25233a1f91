import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { mostVariants, type Variant, variantSchema } from '#shared/contract/matrix.ts';
import type { FlowChoice } from '#shared/contract/time-travel.ts';
import { anyAgent } from '#shared/flow/any-agent.ts';
import { parseModelUrl } from '#shared/flow/model-url.ts';
import { UsageError } from './exit-codes.ts';
import { readJsonArgument } from './json-argument.ts';

export interface VariantOptions {
  readonly model: readonly string[];
  readonly prompt: readonly string[];
  readonly variants?: string;
  readonly repeat?: number;
  readonly currentFlow?: boolean;
}

/** One value of an option, with what it adds to the name of a variant. */
type Choice = { readonly label: string } & Partial<Pick<Variant, 'models' | 'prompts'>>;

/** Reads the variants of a command: every combination of a model and a prompt for each named agent, or the list of a file, each repeated. Throws `UsageError`. */
export function variantsOf({ model, prompt, variants: file, repeat = 1, currentFlow }: VariantOptions): Variant[] {
  if (file !== undefined && model.length + prompt.length > 0)
    throw new UsageError('Use either --variants or --model and --prompt, not both.');
  const flow: FlowChoice = currentFlow ? 'current' : 'recorded';
  const once =
    file === undefined ? combined([...byAgent(model.map(modelChoice)), ...byAgent(prompt.map(promptChoice))], flow) : readVariants(file);
  if (once.length * repeat === 1 && once[0]?.name === unchanged && !currentFlow) {
    throw new UsageError('Nothing varies: use --model, --prompt, --repeat, --current-flow or --variants.');
  }
  const all = once.flatMap((variant) =>
    Array.from({ length: repeat }, (_, index) => (repeat === 1 ? variant : { ...variant, name: `${variant.name} #${index + 1}` })),
  );
  if (all.length > mostVariants) throw new UsageError(`These are ${all.length} variants; a matrix has at most ${mostVariants}.`);
  return all;
}

const unchanged = 'unchanged';

/** One list of choices for each agent. */
function byAgent(choices: readonly (Choice & { readonly agent: string })[]): Choice[][] {
  const lists = new Map<string, Choice[]>();
  for (const { agent, ...choice } of choices) lists.set(agent, [...(lists.get(agent) ?? []), choice]);
  return [...lists.values()];
}

function combined(lists: readonly Choice[][], flow: FlowChoice): Variant[] {
  const none: Variant = { name: '', models: {}, prompts: {}, limits: {}, states: [], drop: [], flow };
  const all = lists.reduce<Variant[]>(
    (variants, choices) => variants.flatMap((variant) => choices.map((choice) => withChoice(variant, choice))),
    [none],
  );
  return all.map((variant) => (variant.name === '' ? { ...variant, name: flow === 'current' ? 'current flow' : unchanged } : variant));
}

function withChoice(variant: Variant, { label, models, prompts }: Choice): Variant {
  const name = variant.name === '' ? label : `${variant.name}, ${label}`;
  return { ...variant, name, models: { ...variant.models, ...models }, prompts: { ...variant.prompts, ...prompts } };
}

/** `URL` for all agents, or `NODE=URL` for one. */
function modelChoice(text: string): Choice & { readonly agent: string } {
  const [, agent = anyAgent, url = ''] = /^(?:([^=]+)=)?([a-z]+:\/\/.*)$/s.exec(text) ?? [];
  const parsed = parseModelUrl(url);
  if (!parsed.ok) throw new UsageError(`--model ${text}: ${parsed.message}`);
  return { agent, label: text, models: { [agent]: url } };
}

/** `NODE=TEXT` or `NODE=@FILE`. */
function promptChoice(text: string): Choice & { readonly agent: string } {
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
