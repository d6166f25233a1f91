import type { DocumentNode } from '#shared/flow/document.ts';

/** The one muted line of a node: what does its work. */
export interface NodeDetail {
  readonly type: 'tool' | 'code' | 'expr' | 'module' | 'model' | 'flow' | 'person';
  readonly text: string;
}

/** Says in a few words what a node runs, or null where it passes its value on. */
export function nodeDetail(node: DocumentNode): NodeDetail | null {
  switch (node.kind) {
    case 'agent':
      return { type: 'model', text: node.agent.model };
    case 'flow':
    case 'each':
      return { type: 'flow', text: node.flow };
    case 'suspend':
      return { type: 'person', text: 'waits for an answer' };
    default:
      if (node.tool !== undefined) return { type: 'tool', text: toolCall(node.tool, node.with) };
      if (node.expr !== undefined) return { type: 'expr', text: oneLine(node.expr) };
      if (node.run_file !== undefined) return { type: 'code', text: node.run_file };
      if (node.module !== undefined) return { type: 'module', text: node.module };
      if (node.run !== undefined) return { type: 'code', text: 'code' };
      return null;
  }
}

/** A tool's name with the first words of its arguments (`run_command git log`). */
function toolCall(tool: string, args: Readonly<Record<string, unknown>> | undefined): string {
  const words = Object.values(args ?? {})
    .flat()
    .filter((value) => typeof value === 'string');
  return [tool, ...words.slice(0, 2)].join(' ');
}

function oneLine(source: string): string {
  return source.trim().replace(/\s+/g, ' ').slice(0, 60);
}
