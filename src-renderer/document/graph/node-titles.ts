import { showInvisible } from '#shared/invisible-characters.ts';
import { frameName, withoutFrames } from '#shared/run/node-id.ts';
import { toolText } from '#shared/run/stop.ts';
import { nodeTitle } from './node-title.ts';
import { parsedText } from './parsed-text.ts';
import { readableFlow } from './readable-flow.ts';
import { texts } from './texts.ts';

/** Returns the title of a node by its id. */
export type NodeTitles = (id: string) => string;

let last: { readonly text: string; readonly inner: TitlesById; readonly titles: NodeTitles } | null = null;

type TitlesById = Readonly<Record<string, string>>;

const noTitles: TitlesById = {};

/**
 * Titles of a run's nodes, with invisible characters shown: from the run's original flow, and for nodes inside nested flows from `inner`. The title of a node
 * inside an `each` node names its item.
 */
export function nodeTitlesOf(flow_text: string, flow_path: string, inner: TitlesById = noTitles): NodeTitles {
  if (last?.text === flow_text && last.inner === inner) return last.titles;
  const flow = readableFlow(parsedText(flow_text, flow_path));
  const byId = new Map(flow?.nodes.map((node) => [node.id, nodeTitle(node)]));
  const titles: NodeTitles = (id) => showInvisible(byId.get(id) ?? innerTitle(id, inner));
  last = { text: flow_text, inner, titles };
  return titles;
}

/** `Mails[1]::Draft` as "Draft a reply · item 2", `Ask::flow:./look-up.flow.yaml[call_1]::Find` as "Find · look-up". */
function innerTitle(id: string, inner: TitlesById): string {
  const title = inner[withoutFrames(id)];
  if (title === undefined) return id;
  const frames = [...id.matchAll(/\]::/g)].map(({ index }) => frameName(id.slice(0, index + 1)));
  const names = frames.map((frame) => frame && (frame.type === 'item' ? texts.item(frame.index + 1) : toolText(frame.flow)));
  return [title, ...names.filter((name) => name !== null)].join(' · ');
}
