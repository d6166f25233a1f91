import type { HandlerFunction } from '#shared/flow/graph.ts';
import { FlowError } from '#shared/run/error.ts';
import { withSource } from './handler-body.ts';
import { jsonSchema, State } from './state.ts';

/** Parents of one join in code. */
const most = 16;

interface Pair {
  readonly parents: readonly [State, State];
  readonly into: State;
  readonly collect: HandlerFunction;
}

/** A join of several states as joins of two: `pairs` collect all values but the last one into a list, and `handler` gets the list spread out. */
export function joinChain(
  from: readonly State[],
  handler: HandlerFunction,
): { readonly pairs: readonly Pair[]; readonly last: readonly State[]; readonly handler: HandlerFunction } {
  if (!Array.isArray(from) || from.length < 3) return { pairs: [], last: from, handler };
  if (from.length > most)
    throw new FlowError('BuildError', `A join takes up to ${most} states, and this one takes ${from.length}. Join some of them first.`);
  const pairs: Pair[] = [];
  let collected = from[0] as State;
  for (const next of from.slice(1, -1)) {
    const into = new State(`${collected.name}_${next.name}`, jsonSchema<unknown>({ type: 'array' }));
    const collect =
      pairs.length === 0 ? (first: unknown, second: unknown) => [first, second] : (list: never[], value: unknown) => [...list, value];
    pairs.push({ parents: [collected, next], into, collect });
    collected = into;
  }
  const spread = (list: never[], ...rest: never[]) => handler(...list, ...rest);
  return { pairs, last: [collected, from.at(-1) as State], handler: withSource(handler, spread) };
}
