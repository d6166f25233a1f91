/** A Mermaid block of a Markdown file that shows a flow. */
export interface MermaidBlock {
  /** As it is written in the comment above the block. */
  readonly flow: string;
  /** Line of the comment, from 1. */
  readonly line: number;
  readonly text: string;
}

const pattern = /(<!-- pravah: (?<flow>[^\n]+?) -->[ \t]*\n\s*?```mermaid[ \t]*\n)(?<text>[\s\S]*?)(^```)/gm;

/** The Mermaid blocks that follow `<!-- pravah: FLOW -->`, in order. */
export function mermaidBlocks(markdown: string): readonly MermaidBlock[] {
  return [...markdown.matchAll(pattern)].map(({ index, groups }) => ({
    flow: groups?.flow ?? '',
    line: markdown.slice(0, index).split('\n').length,
    text: groups?.text ?? '',
  }));
}

/** The file with new texts of the blocks, by flow. */
export function withMermaidBlocks(markdown: string, diagrams: ReadonlyMap<string, string>): string {
  return markdown.replaceAll(pattern, (whole, head: string, flow: string, _text: string, fence: string) => {
    const text = diagrams.get(flow);
    return text === undefined ? whole : `${head}${text}${fence}`;
  });
}
