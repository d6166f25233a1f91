import { studio } from '#renderer/api/studio.ts';
import { unpackFlow } from '#renderer/document/editing/unpack-flow.ts';
import { carryOut, currentFlow, editorStore } from '#renderer/document/flows/editor.ts';
import { selectionStore } from '#renderer/document/flows/selection.ts';
import { card } from '#renderer/document/graph/card-geometry.ts';
import { flowPathIn } from '#renderer/document/graph/flow-path.ts';
import { graphView } from '#renderer/document/graph/graph-view.ts';
import { nodeAt, readableFlow } from '#renderer/document/graph/readable-flow.ts';
import { autoLayout } from '#renderer/document/layout/auto-layout.ts';
import { readText } from '#renderer/document/reading/read-text.ts';
import { noticeFailure, noticeProblem } from '#renderer/shell/notices.ts';
import type { Layout } from '#shared/contract/flows.ts';
import { isCodeFlow } from '#shared/flow/flow-file.ts';
import type { ParsedFlow } from '#shared/flow/parse-flow.ts';
import { texts } from './texts.ts';

/** Replaces the selected nested flow by its nodes, as one undo step. Its file is not changed. */
export async function unpackSelection(): Promise<void> {
  const flow = currentFlow();
  const key = selectionStore.getState().nodes.at(-1);
  const view = flow?.view.nodes.find((node) => node.key === key);
  const node = view && flow?.readable ? nodeAt(flow.readable, view.index) : undefined;
  const path = flow && typeof node?.raw.flow === 'string' ? flowPathIn(flow.path, node.raw.flow) : null;
  if (!flow?.readable || !node || key === undefined || path === null || node.kind !== 'flow' || isCodeFlow(path))
    return noticeProblem(texts.unpack.nothing, texts.unpack.select);
  try {
    const inner = await readInner(path);
    const readable = readableFlow(inner.parsed);
    if (!readable) return noticeProblem(texts.unpack.nothing, texts.unpack.unreadable(path));
    const { plan, keys } = unpackFlow({ path: flow.path, flow: flow.readable }, node.index, { path, flow: readable });
    if (!plan.ok) return noticeProblem(texts.unpack.nothing, plan.reason);
    const innerView = graphView(readable);
    const laidOut = inner.layout ?? (await autoLayout(innerView));
    if (currentFlow()?.parsed !== flow.parsed) return noticeProblem(texts.unpack.nothing, texts.unpack.changed);
    const own = new Map(innerView.nodes.map((each) => [each.key, keys.get(each.id) ?? each.key]));
    carryOut({ ...plan, places: placesFor(flow.positions, key, laidOut, own) });
  } catch (thrown) {
    noticeFailure(texts.unpack.failed(path), thrown);
  }
}

/** The gap between the last unpacked card and the first card after it, in pixels. */
const gap = 56;

/** Positions of the inner nodes, starting at the node that ran them. Nodes to its right move away if there is no room. */
function placesFor(positions: Layout['nodes'], key: string, inner: Layout['nodes'], keys: ReadonlyMap<string, string>): Layout['nodes'] {
  const at = positions[key] ?? { x: 0, y: 0 };
  const places = [...keys].flatMap(([innerKey, outerKey]) => {
    const place = inner[innerKey];
    return place ? [[outerKey, place] as const] : [];
  });
  const left = Math.min(...places.map(([, { x }]) => x));
  const top = Math.min(...places.map(([, { y }]) => y));
  const wide = Math.max(...places.map(([, { x }]) => x + card.width)) - left;
  const behind = Object.entries(positions).filter(([other, { x }]) => other !== key && x > at.x + card.width / 2);
  const next = Math.min(...behind.map(([, { x }]) => x));
  const room = Math.max(0, at.x + wide + gap - next);
  const shifted = behind.map(([other, { x, y }]) => [other, { x: x + room, y }] as const);
  return Object.fromEntries([
    ...shifted,
    ...places.map(([outer, { x, y }]) => [outer, { x: at.x + x - left, y: at.y + y - top }] as const),
  ]);
}

/** The inner flow as it is open here, otherwise as on disk, including unsaved edits. */
async function readInner(path: string): Promise<{ parsed: ParsedFlow; layout: Layout['nodes'] | null }> {
  const open = editorStore.getState().flows[path];
  if (open) return { parsed: open.parsed, layout: open.positions };
  const content = await studio.flows.read({ path });
  const { text, layout } = content.draft ?? content;
  return { parsed: await readText(text, path), layout: layout?.nodes ?? null };
}
