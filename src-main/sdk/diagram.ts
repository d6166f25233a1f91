import type { DiagramFormat } from '#main/platform/write-diagram.ts';
import type { DiagramOptions } from '#shared/flow/diagram/diagram.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';

/** Draws a flow as Mermaid, DOT or SVG. The text depends on the flow alone. SVG needs the package `elkjs`. */
export async function diagram(
  flow: FlowGraph,
  { format = 'mermaid', ...options }: DiagramOptions & { readonly format?: DiagramFormat } = {},
): Promise<string> {
  const { writeDiagram } = await import('#main/platform/write-diagram.ts');
  return writeDiagram(flow, format, options);
}
