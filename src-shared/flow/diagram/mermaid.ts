import type { Diagram, DiagramBox, DiagramKind, DiagramNode } from './diagram.ts';

/** What encloses the label of each kind. */
const shapes: Readonly<Record<DiagramKind, readonly [string, string]>> = {
  input: ['([', '])'],
  output: ['([', '])'],
  work: ['[', ']'],
  either: ['{', '}'],
  fork: ['[/', '\\]'],
  join: ['[\\', '/]'],
  agent: ['(', ')'],
  suspend: ['{{', '}}'],
  each: ['[[', ']]'],
  flow: ['[[', ']]'],
};

/** A diagram as a Mermaid flowchart. */
export function mermaidText({ nodes, edges, boxes }: Diagram): string {
  const lines = ['flowchart TD'];
  const write = (parent: string | null, indent: string): void => {
    for (const { key, kind, label } of inBox(nodes, parent))
      lines.push(`${indent}${key}${shapes[kind][0]}${quoted(label)}${shapes[kind][1]}`);
    for (const { key, label } of boxes.filter((box) => box.parent === parent)) {
      lines.push(`${indent}subgraph ${key}[${quoted(label)}]`);
      write(key, `${indent}  `);
      lines.push(`${indent}end`);
    }
  };
  write(null, '  ');
  for (const { from, to, label } of edges) lines.push(`  ${from} -->${label === '' ? '' : `|${quoted(label)}|`} ${to}`);
  const here = nodes.filter((node) => node.here).map(({ key }) => key);
  if (here.length > 0) lines.push('  classDef here stroke-width:4px', `  class ${here.join(',')} here`);
  return `${lines.join('\n')}\n`;
}

/** The nodes that a box contains itself. */
export const inBox = (nodes: readonly DiagramNode[], box: DiagramBox['key'] | null) => nodes.filter((node) => node.box === box);

/** In quotes, Mermaid reads everything but these characters as text. */
const quoted = (label: string) => `"${oneLine(label).replace(/[#"<>&`\\]/g, (character) => `#${character.charCodeAt(0)};`)}"`;

/** A label without line breaks. */
export const oneLine = (label: string) => label.replaceAll(/\s+/g, ' ').trim();
