import { type GraphView, graphView, noGraph } from '#renderer/graph/graph-view.ts';
import { type InnerPorts, type ReadableFlow, readableFlow } from '#renderer/graph/readable-flow.ts';
import { shareStructure } from '#renderer/graph/share-structure.ts';
import { carryPositions } from '#renderer/layout/carry-positions.ts';
import type { CodeFlowContent, FlowContent, Layout } from '#shared/contract/flows.ts';
import { type ParsedFlow, parseFlow } from '#shared/flow/parse-flow.ts';
import type { ValidationReport } from '#shared/flow/problem.ts';
import { emptyHistory, type History, jumped, recorded, redone, undone } from './history.ts';

/** What undo goes back to: the text as read, and where its nodes stand. */
export interface FlowState {
  readonly parsed: ParsedFlow;
  readonly positions: Layout['nodes'];
  /** False while the positions are the automatic ones, which are not written down. */
  readonly arranged: boolean;
}

/** A flow that is open in the editor. Immutable; every change gives a new one. */
export interface OpenFlow extends FlowState {
  readonly path: string;
  /** The readable part of the text; while the text cannot be read, of the last one that could. */
  readonly readable: ReadableFlow | null;
  readonly view: GraphView;
  readonly inner: InnerPorts;
  /** Set for a flow in code, of which only the layout can be changed here. */
  readonly code: CodeFlowContent | null;
  /** Hash of the bytes on disk on which the edits stand. */
  readonly base_hash: string;
  /** What saving wrote last, or what was read. */
  readonly saved: FlowState;
  readonly history: History<FlowState>;
  /** Findings of the host about the newest text that it has looked at. */
  readonly report: ValidationReport | null;
  /** The file as somebody else has written it meanwhile; null while it is as we know it. `text` is null when it is gone. */
  readonly disk: { readonly text: string | null; readonly hash: string } | null;
  /** When the unsaved edits were made that an earlier session left; null when there were none. */
  readonly restored_at: number | null;
}

/** What the canvas draws of an open flow. */
export type DrawnFlow = Pick<OpenFlow, 'path' | 'view' | 'positions' | 'arranged' | 'code'>;

/** One change as undo knows it. */
export interface Change {
  readonly label: string;
  readonly at: number;
  readonly merge?: string | null;
}

/** Opens what the host has read; unsaved edits of an earlier session are taken up again. */
export function openFlow(content: FlowContent): OpenFlow {
  const saved = stateOf(content.path, content.text, content.layout);
  const current = content.draft ? stateOf(content.path, content.draft.text, content.draft.layout) : saved;
  const readable = readableFlow(current.parsed) ?? readableFlow(saved.parsed);
  return {
    ...current,
    path: content.path,
    readable,
    view: readable ? graphView(readable) : noGraph,
    inner: {},
    code: content.code,
    base_hash: content.draft?.base_hash ?? content.hash,
    saved,
    history: emptyHistory,
    report: content.code?.report ?? null,
    disk: content.draft && content.draft.base_hash !== content.hash ? { text: content.text, hash: content.hash } : null,
    restored_at: content.draft?.saved_at ?? null,
  };
}

/** True when there is something to save. */
export function isDirty(flow: OpenFlow): boolean {
  if (flow.parsed.text !== flow.saved.parsed.text) return true;
  return flow.arranged !== flow.saved.arranged || (flow.arranged && flow.positions !== flow.saved.positions);
}

/** The layout as it is written down, or null while the positions are automatic. */
export function layoutOf(flow: FlowState): Layout | null {
  return flow.arranged ? { pravah_layout: 1, nodes: flow.positions } : null;
}

/** Replaces the text, as one step of undo. `places` says where new nodes go; all others keep their places. */
export function withText(flow: OpenFlow, parsed: ParsedFlow, change: Change, places: Layout['nodes'] = {}): OpenFlow {
  if (parsed.text === flow.parsed.text) return flow;
  const readable = readableFlow(parsed, flow.inner) ?? flow.readable;
  const view = viewOf(flow, readable);
  const placed = Object.keys(places).length > 0;
  const known = placed ? { ...flow.positions, ...places } : flow.positions;
  const positions = view === flow.view ? flow.positions : shareStructure(flow.positions, carryPositions(flow.view, view, known));
  const arranged = flow.arranged || placed;
  return { ...flow, parsed, readable, view, positions, arranged, history: noted(flow, change) };
}

/** Moves nodes, as one step of undo. From then on the positions are the user's and are saved. */
export function withPositions(flow: OpenFlow, moved: Layout['nodes'], change: Change): OpenFlow {
  const positions = shareStructure(flow.positions, { ...flow.positions, ...moved });
  if (positions === flow.positions) return flow;
  return { ...flow, positions, arranged: true, history: noted(flow, change) };
}

/** Takes over automatic positions; no step of undo, and nothing to save. */
export function withAutomaticPositions(flow: OpenFlow, positions: Layout['nodes']): OpenFlow {
  if (flow.arranged) return flow;
  const saved = flow.saved.arranged ? flow.saved : { ...flow.saved, positions };
  return { ...flow, positions: shareStructure(flow.positions, positions), saved };
}

/** Takes the last step back, or does the last undone one again; null when there is none. */
export function timeTravel(flow: OpenFlow, direction: 'undo' | 'redo'): { flow: OpenFlow; label: string } | null {
  const step = direction === 'undo' ? undone(flow.history, stateIn(flow)) : redone(flow.history, stateIn(flow));
  return step && { flow: { ...withState(flow, step.content), history: step.history }, label: step.label };
}

/** Goes to where this many steps have been done, over all that lies between; null where that is so already. */
export function travelTo(flow: OpenFlow, steps: number): OpenFlow | null {
  const jump = jumped(flow.history, stateIn(flow), steps);
  return jump && { ...withState(flow, jump.content), history: jump.history };
}

/** Notes that this state has been written to disk. */
export function withSaved(flow: OpenFlow, written: FlowState, hash: string): OpenFlow {
  return { ...flow, saved: written, base_hash: hash, disk: null, restored_at: null };
}

/** Takes over what is on disk now, as one step of undo. */
export function withDisk(flow: OpenFlow, content: FlowContent, at: number): OpenFlow {
  if (content.code) return withCode(flow, content, content.code);
  const saved = stateOf(content.path, content.text, content.layout);
  const next = withState(flow, saved.arranged ? saved : { ...saved, positions: flow.positions });
  const history = noted(flow, { label: 'Change on disk', at });
  return { ...next, saved: stateIn(next), base_hash: content.hash, disk: null, restored_at: null, history };
}

/** Takes over a flow in code as it has been loaded anew. One that cannot be loaded stays drawn as it was; what is wrong is in its report. */
function withCode(flow: OpenFlow, content: FlowContent, code: CodeFlowContent): OpenFlow {
  const about = { code, report: code.report, base_hash: content.hash, disk: null };
  if (content.text === '' || content.text === flow.parsed.text) return { ...flow, ...about };
  const read = { ...flow, parsed: parseFlow(content.text, flow.path), positions: flow.arranged ? flow.positions : {} };
  const next = withState(flow, read);
  const positions = flow.arranged ? carryPositions(flow.view, next.view, flow.positions) : {};
  const placed = { ...next, ...about, positions, history: emptyHistory };
  return { ...placed, saved: stateIn(placed) };
}

/** Takes over what nested flows consume and produce. */
export function withInner(flow: OpenFlow, inner: InnerPorts): OpenFlow {
  const shared = shareStructure(flow.inner, inner);
  if (shared === flow.inner) return flow;
  const readable = readableFlow(flow.parsed, shared) ?? flow.readable;
  const view = viewOf(flow, readable);
  return { ...flow, inner: shared, readable, view, positions: carryPositions(flow.view, view, flow.positions) };
}

/** The part of an open flow that undo goes back to. */
export function stateIn({ parsed, positions, arranged }: OpenFlow): FlowState {
  return { parsed, positions, arranged };
}

function withState(flow: OpenFlow, state: FlowState): OpenFlow {
  const readable = readableFlow(state.parsed, flow.inner) ?? flow.readable;
  return { ...flow, ...state, readable, view: viewOf(flow, readable) };
}

function viewOf(flow: OpenFlow, readable: ReadableFlow | null): GraphView {
  return readable ? graphView(readable, flow.view) : flow.view;
}

function noted(flow: OpenFlow, change: Change): History<FlowState> {
  return recorded(flow.history, { before: stateIn(flow), label: change.label, merge: change.merge ?? null, at: change.at });
}

function stateOf(path: string, text: string, layout: Layout | null): FlowState {
  return { parsed: parseFlow(text, path), positions: layout?.nodes ?? {}, arranged: layout !== null };
}
