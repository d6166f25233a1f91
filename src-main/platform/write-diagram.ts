import { type DiagramOptions, diagramOf } from '#shared/flow/diagram/diagram.ts';
import { dotText } from '#shared/flow/diagram/dot.ts';
import { mermaidText } from '#shared/flow/diagram/mermaid.ts';
import { layoutOf, svgText } from '#shared/flow/diagram/svg.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import { elkLayout } from './elk-layout.ts';

/** Languages of diagrams. */
export const diagramFormats = ['mermaid', 'dot', 'svg'] as const;
export type DiagramFormat = (typeof diagramFormats)[number];

/** A flow's diagram. Its text depends on the flow alone. */
export async function writeDiagram(flow: FlowGraph, format: DiagramFormat, options: DiagramOptions = {}): Promise<string> {
  const drawn = diagramOf(flow, options);
  if (format !== 'svg') return format === 'dot' ? dotText(drawn) : mermaidText(drawn);
  return svgText(drawn, await elkLayout(layoutOf(drawn)));
}
