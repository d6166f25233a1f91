import type { Diagram, DiagramKind } from './diagram.ts';
import { inBox, oneLine } from './mermaid.ts';

/** A shape to place, as elkjs takes it. */
export interface LayoutNode {
  readonly id: string;
  readonly width?: number;
  readonly height?: number;
  readonly children?: readonly LayoutNode[];
  readonly edges?: readonly LayoutEdge[];
  readonly layoutOptions?: Readonly<Record<string, string>>;
}

interface LayoutEdge {
  readonly id: string;
  readonly sources: readonly string[];
  readonly targets: readonly string[];
  readonly labels?: readonly { readonly text: string; readonly width: number; readonly height: number }[];
}

/** A placed shape: `x` and `y` are relative to the box that contains it. */
export interface PlacedNode extends LayoutNode {
  readonly x?: number;
  readonly y?: number;
  readonly children?: readonly PlacedNode[];
  readonly edges?: readonly PlacedEdge[];
}

interface Point {
  readonly x: number;
  readonly y: number;
}

interface PlacedEdge extends LayoutEdge {
  /** The box that its points are relative to. */
  readonly container?: string;
  readonly sections?: readonly { readonly startPoint: Point; readonly endPoint: Point; readonly bendPoints?: readonly Point[] }[];
  readonly labels?: readonly {
    readonly text: string;
    readonly width: number;
    readonly height: number;
    readonly x?: number;
    readonly y?: number;
  }[];
}

const characterWidth = 7.5;
const lineHeight = 16;
const widthOf = (label: string) => Math.ceil(oneLine(label).length * characterWidth);

/** What has to be laid out: sizes, boxes and edges of a diagram. */
export function layoutOf({ nodes, edges, boxes }: Diagram): LayoutNode {
  const inside = (parent: string | null): LayoutNode[] => [
    ...inBox(nodes, parent).map(({ key, kind, label }) => ({
      id: key,
      width: widthOf(label) + (kind === 'either' ? 64 : 32),
      height: kind === 'either' ? 56 : 36,
    })),
    ...boxes
      .filter((box) => box.parent === parent)
      .map(({ key, label }) => ({
        id: key,
        children: inside(key),
        layoutOptions: {
          'elk.padding': '[top=36,left=16,bottom=16,right=16]',
          'elk.nodeSize.constraints': 'MINIMUM_SIZE',
          'elk.nodeSize.minimum': `(${widthOf(label) + 24},60)`,
        },
      })),
  ];
  return {
    id: 'root',
    children: inside(null),
    edges: edges.map(({ from, to, label }, index) => ({
      id: `e${index}`,
      sources: [from],
      targets: [to],
      ...(label !== '' && { labels: [{ text: label, width: widthOf(label) + 8, height: lineHeight }] }),
    })),
    layoutOptions: {
      'elk.algorithm': 'layered',
      'elk.direction': 'DOWN',
      'elk.hierarchyHandling': 'INCLUDE_CHILDREN',
      'elk.layered.spacing.nodeNodeBetweenLayers': '40',
      'elk.spacing.nodeNode': '32',
      'elk.padding': '[top=16,left=16,bottom=16,right=16]',
      'elk.randomSeed': '1',
    },
  };
}

/** A laid-out diagram as an SVG image that follows the light or dark colours of the page that shows it. */
export function svgText(diagram: Diagram, placed: PlacedNode): string {
  const at = new Map<string, Point & { readonly width: number; readonly height: number }>();
  const place = (node: PlacedNode, origin: Point): void => {
    const x = origin.x + (node.x ?? 0);
    const y = origin.y + (node.y ?? 0);
    at.set(node.id, { x, y, width: node.width ?? 0, height: node.height ?? 0 });
    for (const child of node.children ?? []) place(child, { x, y });
  };
  place(placed, { x: 0, y: 0 });
  const parts: string[] = [];
  for (const { key, label } of diagram.boxes) {
    const box = at.get(key);
    if (!box) continue;
    parts.push(
      `<rect class="box" x="${round(box.x)}" y="${round(box.y)}" width="${round(box.width)}" height="${round(box.height)}" rx="8"/>`,
    );
    parts.push(`<text class="title" x="${round(box.x + 12)}" y="${round(box.y + 22)}">${escaped(label)}</text>`);
  }
  for (const edge of placed.edges ?? []) parts.push(...edgeParts(edge, at.get(edge.container ?? 'root') ?? { x: 0, y: 0 }));
  for (const { key, kind, label, here } of diagram.nodes) {
    const box = at.get(key);
    if (box)
      parts.push(
        `<g class="node${here ? ' here' : ''}">${shapeOf(kind, box)}${textAt(label, box.x + box.width / 2, box.y + box.height / 2)}</g>`,
      );
  }
  const { width = 0, height = 0 } = placed;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${round(width)} ${round(height)}" width="${round(width)}" height="${round(height)}" role="img" aria-label="${escaped(diagram.name)}">
<style>text{font:13px system-ui,sans-serif;fill:#1b1f24;text-anchor:middle;dominant-baseline:central}.title{text-anchor:start;dominant-baseline:auto;fill:#57606a}.shape{fill:#fff;stroke:#57606a;stroke-width:1.5}.box{fill:none;stroke:#8c959f;stroke-dasharray:4 3}.edge{fill:none;stroke:#57606a;stroke-width:1.5}.arrow{fill:#57606a}.here .shape{stroke:#bf8700;stroke-width:4}@media(prefers-color-scheme:dark){text{fill:#e6edf3}.title{fill:#9198a1}.shape{fill:#161b22;stroke:#9198a1}.edge{stroke:#9198a1}.arrow{fill:#9198a1}.here .shape{stroke:#d29922}}</style>
<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="arrow" d="M0 0L8 4L0 8z"/></marker></defs>
${parts.join('\n')}
</svg>
`;
}

function edgeParts({ sections = [], labels = [] }: PlacedEdge, origin: Point): string[] {
  const point = ({ x, y }: Point) => `${round(origin.x + x)} ${round(origin.y + y)}`;
  const lines = sections.map(({ startPoint, bendPoints = [], endPoint }) => {
    const [first, ...others] = [startPoint, ...bendPoints, endPoint].map(point);
    return `<path class="edge" marker-end="url(#arrow)" d="M${first}${others.map((each) => `L${each}`).join('')}"/>`;
  });
  const texts = labels.map(({ text, width, height, x = 0, y = 0 }) => textAt(text, origin.x + x + width / 2, origin.y + y + height / 2));
  return [...lines, ...texts];
}

function shapeOf(kind: DiagramKind, { x, y, width, height }: Point & { readonly width: number; readonly height: number }): string {
  const polygon = (...points: readonly (readonly [number, number])[]) =>
    `<polygon class="shape" points="${points.map(([left, top]) => `${round(x + left)},${round(y + top)}`).join(' ')}"/>`;
  const rect = (radius: number, inset = 0) =>
    `<rect class="shape" x="${round(x + inset)}" y="${round(y)}" width="${round(width - 2 * inset)}" height="${round(height)}" rx="${radius}"/>`;
  switch (kind) {
    case 'either':
      return polygon([width / 2, 0], [width, height / 2], [width / 2, height], [0, height / 2]);
    case 'fork':
      return polygon([12, 0], [width - 12, 0], [width, height], [0, height]);
    case 'join':
      return polygon([0, 0], [width, 0], [width - 12, height], [12, height]);
    case 'suspend':
      return polygon([12, 0], [width - 12, 0], [width, height / 2], [width - 12, height], [12, height], [0, height / 2]);
    case 'each':
    case 'flow':
      return rect(0) + rect(0, 5);
    case 'input':
    case 'output':
      return rect(height / 2);
    case 'agent':
      return rect(10);
    case 'work':
      return rect(2);
  }
}

const textAt = (text: string, x: number, y: number) => `<text x="${round(x)}" y="${round(y)}">${escaped(text)}</text>`;
const round = (value: number) => Math.round(value * 10) / 10;
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => oneLine(text).replace(/[&<>"]/g, (character) => entities[character] as string);
