import type { ForeignEdge } from '#shared/import/foreign-graph.ts';
import { reach } from '#shared/import/graph-order.ts';

/**
 * The order in which components run, from what each one reads. Components that read nothing run first, one after the other. A wire is left out if
 * there is another way from its source to its target, since the data is there by then.
 */
export function controlEdges(ids: readonly string[], wires: readonly ForeignEdge[]): { start: string; edges: ForeignEdge[] } {
  const distinct = [...new Map(wires.map((wire) => [JSON.stringify([wire.from, wire.output, wire.to]), wire])).values()];
  const isTarget = new Set(distinct.map(({ to }) => to));
  const sources = ids.filter((id) => !isTarget.has(id));
  // All components are part of a loop: it begins at the first.
  const first = sources.length > 0 ? sources : ids.slice(0, 1);
  const chained = new Set(first);
  const last = first.at(-1) ?? '';
  const edges: ForeignEdge[] = first.slice(1).map((to, index) => ({ from: first[index] as string, output: '', to }));
  const rest = distinct.filter(({ from }) => !chained.has(from));
  const led = new Set(rest.map(({ to }) => to));
  const read = [...new Set(distinct.filter(({ from }) => chained.has(from)).map(({ to }) => to))].filter((to) => !chained.has(to));
  for (const to of read.filter((each) => !led.has(each))) edges.push({ from: last, output: '', to });
  // What is led only by what comes after it, as the beginning of a loop is.
  for (const to of read) if (!reach(last, successorsOf([...edges, ...rest])).has(to)) edges.push({ from: last, output: '', to });
  for (const wire of rest) if (!hasOtherWay(wire, rest)) edges.push(wire);
  return { start: first[0] ?? '', edges };
}

function successorsOf(wires: readonly ForeignEdge[]): Map<string, string[]> {
  const successors = new Map<string, string[]>();
  for (const { from, to } of wires) successors.set(from, [...(successors.get(from) ?? []), to]);
  return successors;
}

function hasOtherWay({ from, output, to }: ForeignEdge, wires: readonly ForeignEdge[]): boolean {
  const successors = successorsOf(wires.filter((wire) => wire.from !== from || wire.to !== to || wire.output !== output));
  return (
    (successors.get(from) ?? []).some((next) => next !== from && reach(next, successors, from).has(to)) && !reach(to, successors).has(from)
  );
}
