import { studio } from '#renderer/api/studio.ts';
import { editsForPart, type FlowPart, partOfFlow, textOfPart } from '#renderer/document/editing/extract-flow.ts';
import { carryOut, currentFlow, takeInnerPorts } from '#renderer/document/flows/editor.ts';
import { selectionStore } from '#renderer/document/flows/selection.ts';
import { flowPathFrom } from '#renderer/document/graph/flow-path.ts';
import { nodeAt, type ReadableFlow } from '#renderer/document/graph/readable-flow.ts';
import { noticeDone, noticeFailure, noticeProblem } from '#renderer/shell/notices.ts';
import { extractStore } from './extract-store.ts';
import { texts } from './texts.ts';

/** Opens the dialog that turns the selected nodes into a nested flow, or reports why that is not possible. */
export function extractSelection(): void {
  const flow = currentFlow();
  if (!flow?.readable || flow.code) return;
  const keys = new Set(selectionStore.getState().nodes);
  const indices = flow.view.nodes.filter((node) => keys.has(node.key)).map((node) => node.index);
  const part = partOfFlow(flow.readable, indices);
  if ('reason' in part) noticeProblem(texts.extract.impossible, part.reason);
  else extractStore.setState({ part });
}

/** Writes the part to a new flow file beside the current one and replaces it by a node that runs that file. Returns false if writing failed. */
export async function makeNestedFlow(part: FlowPart, name: string): Promise<boolean> {
  const flow = currentFlow();
  if (!flow?.readable || part.nodes.some((node) => nodeAt(flow.readable as ReadableFlow, node.index)?.raw !== node.raw)) {
    noticeProblem(texts.flowChanged, texts.extract.selectAgain);
    return true;
  }
  const indices = new Set(part.nodes.map((node) => node.index));
  const moved = flow.view.nodes
    .filter((node) => indices.has(node.index))
    .flatMap(({ key }) => {
      const place = flow.positions[key];
      return place ? [[key, place] as const] : [];
    });
  const at = { x: Math.min(...moved.map(([, { x }]) => x)), y: Math.min(...moved.map(([, { y }]) => y)) };
  try {
    const made = await studio.flows.create({
      name,
      folder: flow.path.split('/').slice(0, -1).join('/'),
      text: textOfPart(flow.readable, part, name),
      layout: { pravah_layout: 1, nodes: Object.fromEntries(moved.map(([key, { x, y }]) => [key, { x: x - at.x, y: y - at.y }])) },
    });
    if (currentFlow()?.parsed !== flow.parsed) {
      noticeProblem(texts.flowChanged, texts.extract.fileMade(made.path));
      return true;
    }
    const file = flowPathFrom(flow.path, made.path);
    takeInnerPorts(flow.path, { ...flow.inner, [file]: { input: part.input, output: part.output } });
    const label = texts.extract.undoLabel(made.path, part.nodes.length);
    const edits = editsForPart(flow.readable, part, file, name);
    if (carryOut({ ok: true, label, edits, places: { [part.input]: at }, select: [part.input] })) noticeDone(texts.extract.done(made.path));
    return true;
  } catch (thrown) {
    noticeFailure(texts.extract.failed, thrown);
    return false;
  }
}
