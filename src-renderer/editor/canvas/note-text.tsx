import { Fragment, type ReactNode } from 'react';

/** The text of a note as Markdown: headings, lists, bold, italic, code, links. HTML and images are text. */
export function NoteText({ text }: { text: string }) {
  return blocksOf(text).map((block, index) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: a block is its position in the text
    return <Fragment key={index}>{block}</Fragment>;
  });
}

function blocksOf(text: string): ReactNode[] {
  const blocks: ReactNode[] = [];
  let items: ReactNode[] = [];
  const endList = () => {
    if (items.length > 0) blocks.push(<ul>{items}</ul>);
    items = [];
  };
  for (const [index, line] of text.split('\n').entries()) {
    const item = /^\s*[-*] (.*)$/.exec(line)?.[1];
    if (item !== undefined) {
      items.push(<li key={index}>{inline(item)}</li>);
      continue;
    }
    endList();
    const heading = /^#{1,6} (.*)$/.exec(line)?.[1];
    if (heading !== undefined) blocks.push(<strong className="heading">{inline(heading)}</strong>);
    else if (line.trim() !== '') blocks.push(<p>{inline(line)}</p>);
  }
  endList();
  return blocks;
}

const marks = /(`[^`]+`|\*\*[^*]+\*\*|\*[^*]+\*|\[[^\]]+\]\(https?:[^)\s]+\))/;

function inline(text: string): ReactNode[] {
  return text.split(marks).map((part, index) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: a part is its position in the line
    return <Fragment key={index}>{partOf(part)}</Fragment>;
  });
}

function partOf(part: string): ReactNode {
  if (part.length > 2 && part.startsWith('`') && part.endsWith('`')) return <code>{part.slice(1, -1)}</code>;
  if (part.length > 4 && part.startsWith('**') && part.endsWith('**')) return <strong>{part.slice(2, -2)}</strong>;
  if (part.length > 2 && part.startsWith('*') && part.endsWith('*')) return <em>{part.slice(1, -1)}</em>;
  const link = /^\[([^\]]+)\]\((https?:[^)\s]+)\)$/.exec(part);
  if (!link) return part;
  return (
    <a href={link[2]} target="_blank" rel="noreferrer noopener" onPointerDown={(event) => event.stopPropagation()}>
      {link[1]}
    </a>
  );
}
