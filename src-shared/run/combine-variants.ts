import type { Variant } from '#shared/contract/matrix.ts';

/** One value that varies, with what it adds to the name of a variant. */
export type VariantChoice = { readonly label: string } & Partial<Pick<Variant, 'models' | 'prompts' | 'limits' | 'states'>>;

/** Values of the same thing, such as the prompts of one agent. */
export type VariantChoices = readonly VariantChoice[];

/** The name of a variant that changes nothing. */
export const unchangedVariant = 'unchanged';

/** Returns every combination of one choice from each list, each `repeat` times, with the given version of the flow. */
export function combineVariants(lists: readonly VariantChoices[], repeat: number, flow: Variant['flow']): Variant[] {
  const none: Variant = { name: '', models: {}, prompts: {}, limits: {}, states: [], drop: [], flow };
  const all = lists
    .filter((choices) => choices.length > 0)
    .reduce<Variant[]>((variants, choices) => variants.flatMap((variant) => choices.map((choice) => withChoice(variant, choice))), [none]);
  const unnamed = flow === 'current' ? 'current flow' : unchangedVariant;
  return repeated(
    all.map((variant) => (variant.name === '' ? { ...variant, name: unnamed } : variant)),
    repeat,
  );
}

/** Returns each variant `repeat` times, numbered if that is more than once. */
export function repeated(variants: readonly Variant[], repeat: number): Variant[] {
  if (repeat === 1) return [...variants];
  return variants.flatMap((variant) =>
    Array.from({ length: repeat }, (_, index) => ({ ...variant, name: `${variant.name} #${index + 1}` })),
  );
}

function withChoice(variant: Variant, { label, models, prompts, limits = {}, states = [] }: VariantChoice): Variant {
  const name = variant.name === '' ? label : `${variant.name}, ${label}`;
  const merged = Object.entries(limits).map(([agent, values]) => [agent, { ...variant.limits[agent], ...values }]);
  return {
    ...variant,
    name,
    models: { ...variant.models, ...models },
    prompts: { ...variant.prompts, ...prompts },
    limits: { ...variant.limits, ...Object.fromEntries(merged) },
    states: [...variant.states, ...states],
  };
}
