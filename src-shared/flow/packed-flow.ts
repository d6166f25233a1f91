import { rememberSchemas } from '#shared/flow/checks/format.ts';
import { positionsOf } from '#shared/flow/source/position.ts';
import type { SourceParts, SourceSection } from '#shared/flow/source/source-parts.ts';
import type { ParsedFlow } from './parse-flow.ts';

/** A flow that was read, without its functions: what one thread can hand to another. */
export interface PackedFlow extends Omit<ParsedFlow, 'positionAt' | 'parts'> {
  readonly parts: PackedParts | null;
}

interface PackedParts extends Omit<SourceParts, 'sections'> {
  readonly sections: ReadonlyMap<string, PackedSection>;
}

interface PackedSection extends Omit<SourceSection, 'nodes'> {
  readonly nodes: ReturnType<SourceSection['nodes']>;
}

/** Makes a flow that was read ready for another thread. What shares objects still shares them there, if it is handed over at once. */
export function packFlow({ positionAt: _positionAt, parts, ...flow }: ParsedFlow): PackedFlow {
  if (!parts) return { ...flow, parts: null };
  const sections = [...parts.sections].map(([key, section]) => [key, { ...section, nodes: section.nodes() }] as const);
  return { ...flow, parts: { ...parts, sections: new Map(sections) } };
}

/** The flow that was packed; its next version is read in part, as if this thread had read it. */
export function unpackFlow({ parts, ...flow }: PackedFlow): ParsedFlow {
  if (flow.root && flow.problems.length === 0) rememberSchemas(flow.root.value);
  const read = { ...flow, positionAt: positionsOf(flow.text) };
  if (!parts) return read;
  const sections = [...parts.sections].map(([key, { nodes, ...section }]) => [key, { ...section, nodes: () => nodes }] as const);
  return { ...read, parts: { ...parts, sections: new Map(sections) } };
}
