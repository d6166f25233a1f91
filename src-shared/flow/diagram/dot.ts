import type { Diagram, DiagramKind } from './diagram.ts';
import { inBox, oneLine } from './mermaid.ts';

const shapes: Readonly<Record<DiagramKind, string>> = {
  input: 'shape=oval',
  output: 'shape=oval',
  work: 'shape=box',
  either: 'shape=diamond',
  fork: 'shape=trapezium',
  join: 'shape=invtrapezium',
  agent: 'shape=box, style=rounded',
  suspend: 'shape=hexagon',
  each: 'shape=box, peripheries=2',
  flow: 'shape=box, peripheries=2',
};

/** A diagram in the DOT language of Graphviz. */
export function dotText({ name, nodes, edges, boxes }: Diagram): string {
  const lines = [`digraph ${quoted(name)} {`];
  const write = (parent: string | null, indent: string): void => {
    for (const { key, kind, label, here } of inBox(nodes, parent))
      lines.push(`${indent}${key} [label=${quoted(label)}, ${shapes[kind]}${here ? ', penwidth=4' : ''}];`);
    for (const { key, label } of boxes.filter((box) => box.parent === parent)) {
      lines.push(`${indent}subgraph cluster_${key} {`, `${indent}  label=${quoted(label)};`);
      write(key, `${indent}  `);
      lines.push(`${indent}}`);
    }
  };
  write(null, '  ');
  for (const { from, to, label } of edges) lines.push(`  ${from} -> ${to}${label === '' ? '' : ` [label=${quoted(label)}]`};`);
  lines.push('}');
  return `${lines.join('\n')}\n`;
}

const quoted = (text: string) => `"${oneLine(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
