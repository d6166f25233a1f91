import type { ElkNode } from 'elkjs/lib/elk-api.js';
import type { LayoutNode, PlacedNode } from '#shared/flow/diagram/svg.ts';
import { optionalPackage } from './optional-package.ts';

/** Places the shapes of a diagram. The same input always gives the same result. Throws `CONFIG_PACKAGE_MISSING` without elkjs. */
export async function elkLayout(graph: LayoutNode): Promise<PlacedNode> {
  const { default: Elk } = await optionalPackage('elkjs', 'diagrams as SVG', () => import('elkjs/lib/elk.bundled.js'));
  return new Elk().layout(structuredClone(graph) as ElkNode) as Promise<PlacedNode>;
}
