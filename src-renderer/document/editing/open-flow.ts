import { type GraphView, graphView, noGraph } from '#renderer/document/graph/graph-view.ts';
import { type InnerPorts, type ReadableFlow, readableFlow } from '#renderer/document/graph/readable-flow.ts';
import { shareStructure } from '#renderer/document/graph/share-structure.ts';
import { carryGroups, carryPositions } from '#renderer/document/layout/carry-positions.ts';
import type { CodeFlowContent, FlowContent, FlowRevision, Layout, OtherDraft } from '#shared/contract/flows.ts';
import { extrasOf, type LayoutExtras, layoutWith, noExtras } from '#shared/flow/layout/layout.ts';
import { type FlowVersion, isSameVersion, mergeVersions } from '#shared/flow/merge/merge-versions.ts';
import { type ParsedFlow, parseFlow } from '#shared/flow/parse-flow.ts';
import type { ValidationReport } from '#shared/flow/problem.ts';
import { addedPlaces, withAdded } from './added-drawing.ts';
import type { AddedDrawing } from './edit-plan.ts';
import { carryBreakpoints, type FlowBreakpoints, mergeBreakpoints, sameBreakpoints } from './flow-breakpoints.ts';
import { emptyHistory, type History, interrupted, jumped, recorded, redone, type Travel, undone } from './history.ts';
import { texts } from './texts.ts';

/** The content that undo restores: the parsed text and the positions of its nodes. */
export interface FlowState {
  readonly parsed: ParsedFlow;
  readonly positions: Layout['nodes'];
  /** False while the positions are automatic; automatic positions are not saved. */
  readonly arranged: boolean;
  /** Notes, groups and the direction of the layout. */
  readonly extras: LayoutExtras;
  /** The breakpoints, pins and mocks of the flow. They are stored at once, not saved with it. */
  readonly breakpoints: FlowBreakpoints;
}

/** A flow that is open in the editor. Immutable; every change returns a new one. */
export interface OpenFlow extends FlowState {
  readonly path: string;
  /** The readable part of the text; while the text cannot be parsed, that of the last readable version. */
  readonly readable: ReadableFlow | null;
  readonly view: GraphView;
  readonly inner: InnerPorts;
  /** Set for a flow in code, of which only the layout can be changed here. */
  readonly code: CodeFlowContent | null;
  /** Hash of the file on disk that the edits are based on. */
  readonly base_hash: string;
  /** The text and layout as last saved or read. */
  readonly saved: FlowState;
  /**
   * The version that all windows share, as far as this one knows; null for a flow without a file. Edits are based on
   * it.
   */
  readonly revision: FlowRevision | null;
  /** The last content that this window and the others had in common, which is `revision`. */
  readonly synced: FlowState;
  /** Unsaved edits that could not be merged or that another program made. The user decides. */
  readonly others: readonly OtherDraft[];
  readonly history: History<FlowState>;
  /** The host's report on the newest text that it has checked. */
  readonly report: ValidationReport | null;
  /** The file as another program has changed it, or null while it is unchanged. `text` is null if the file was deleted. */
  readonly disk: { readonly text: string | null; readonly hash: string } | null;
  /** When the restored unsaved edits of an earlier session were made, or null. */
  readonly restored_at: number | null;
}

/** How the text of a flow is read. */
export type ReadText = (text: string, path: string) => ParsedFlow;

/** The parts of an open flow that the canvas shows. */
export type DrawnFlow = Pick<OpenFlow, 'path' | 'view' | 'positions' | 'arranged' | 'extras' | 'code'>;

/** One change for the undo history. */
export interface Change {
  readonly label: string;
  readonly at: number;
  readonly merge?: string | null;
}

/** Opens a flow that the host has read, with the unsaved edits of an earlier session. `read` reads its texts. */
export function openFlow(content: FlowContent, read: ReadText = parseFlow): OpenFlow {
  const saved = stateOf(content.path, content, read);
  const current = content.draft ? stateOf(content.path, content.draft, read) : saved;
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
    revision: content.revision,
    synced: current,
    others: content.others,
    history: emptyHistory,
    report: content.code?.report ?? null,
    disk: diskOf(content),
    restored_at: content.draft?.restored ? content.draft.saved_at : null,
  };
}

/** The file on disk if it is not the version that the unsaved edits are based on. */
function diskOf({ draft, text, hash }: FlowContent): OpenFlow['disk'] {
  if (!draft || draft.base_hash === hash) return null;
  return { text: hash === '' ? null : text, hash };
}

/** True if there are unsaved changes. */
export function isDirty(flow: OpenFlow): boolean {
  if (flow.parsed.text !== flow.saved.parsed.text || flow.extras !== flow.saved.extras) return true;
  return flow.arranged !== flow.saved.arranged || (flow.arranged && flow.positions !== flow.saved.positions);
}

/** The layout as it is saved, or null while the positions are automatic. */
export function layoutOf(flow: FlowState): Layout | null {
  return flow.arranged ? layoutWith(flow.positions, flow.extras) : null;
}

/** Replaces the text, as one undo step. `given` and `added` contain the positions of new nodes; all others keep theirs. */
export function withText(flow: OpenFlow, parsed: ParsedFlow, change: Change, given: Layout['nodes'] = {}, added?: AddedDrawing): OpenFlow {
  if (parsed.text === flow.parsed.text) return flow;
  const readable = readableFlow(parsed, flow.inner) ?? flow.readable;
  const view = viewOf(flow, readable);
  const places = added ? { ...given, ...addedPlaces(added, view) } : given;
  const placed = Object.keys(places).length > 0;
  const known = placed ? { ...flow.positions, ...places } : flow.positions;
  const positions = view === flow.view ? flow.positions : shareStructure(flow.positions, carryPositions(flow.view, view, known));
  const arranged = flow.arranged || placed;
  const carried = view === flow.view ? flow.extras : carryGroups(flow.view, view, flow.extras);
  const extras = shareStructure(flow.extras, added ? extrasOf(withAdded(carried, added, view)) : carried);
  const breakpoints = carryBreakpoints(flow.readable, readable, flow.path, flow.breakpoints);
  return { ...flow, parsed, readable, view, positions, arranged, extras, breakpoints, history: noted(flow, change) };
}

/**
 * Shows the breakpoints of the flow as they are stored now. With `change`, they are the user's, as one undo step; else they come from another window or
 * program, and undo keeps them.
 */
export function withBreakpoints(flow: OpenFlow, breakpoints: FlowBreakpoints, change: Change | null): OpenFlow {
  if (sameBreakpoints(flow.breakpoints, breakpoints)) return flow;
  return { ...flow, breakpoints, history: change ? noted(flow, change) : interrupted(flow.history, stateIn(flow)) };
}

/** Moves nodes, as one undo step. From then on the positions are the user's and are saved. */
export function withPositions(flow: OpenFlow, moved: Layout['nodes'], change: Change): OpenFlow {
  const positions = shareStructure(flow.positions, { ...flow.positions, ...moved });
  if (positions === flow.positions) return flow;
  return { ...flow, positions, arranged: true, history: noted(flow, change) };
}

/** Changes notes, groups or the direction, and moves nodes with them, as one undo step. */
export function withExtras(flow: OpenFlow, extras: LayoutExtras, moved: Layout['nodes'], change: Change): OpenFlow {
  const next = shareStructure(flow.extras, extrasOf(extras));
  const positions = shareStructure(flow.positions, { ...flow.positions, ...moved });
  if (next === flow.extras && positions === flow.positions) return flow;
  return { ...flow, extras: next, positions, arranged: true, history: noted(flow, change) };
}

/** Applies automatic positions: not an undo step, and nothing to save. */
export function withAutomaticPositions(flow: OpenFlow, positions: Layout['nodes']): OpenFlow {
  if (flow.arranged) return flow;
  const saved = flow.saved.arranged ? flow.saved : { ...flow.saved, positions };
  return { ...flow, positions: shareStructure(flow.positions, positions), saved };
}

/** The result of undo, redo or a jump. `refused` names a dropped step that conflicts with another window's edits. */
export type TimeTravel =
  | { readonly flow: OpenFlow; readonly label: string; readonly refused?: undefined }
  | { readonly refused: string; readonly flow: OpenFlow; readonly label?: undefined };

/**
 * Undoes the last own step, or redoes the last undone one. Returns null if there is none. Edits of other windows stay.
 */
export function timeTravel(flow: OpenFlow, direction: 'undo' | 'redo'): TimeTravel | null {
  return arrived(flow, (direction === 'undo' ? undone : redone)(flow.history, stateIn(flow), rebaseIn(flow)));
}

/** Undoes or redoes until this many steps are done. Returns null if that is already the case. */
export function travelTo(flow: OpenFlow, steps: number): TimeTravel | null {
  return arrived(flow, jumped(flow.history, stateIn(flow), steps, rebaseIn(flow)));
}

function arrived(flow: OpenFlow, travel: Travel<FlowState> | null): TimeTravel | null {
  if (!travel) return null;
  if (travel.refused !== undefined) return { refused: travel.refused, flow: { ...flow, history: travel.history } };
  return { flow: { ...withState(flow, travel.content), history: travel.history }, label: travel.label };
}

/** Applies one history step to a flow that other windows have edited since. */
function rebaseIn(flow: OpenFlow) {
  return (base: FlowState, changed: FlowState, current: FlowState): FlowState | null => {
    const merged = mergeVersions(versionOf(base), versionOf(changed), versionOf(current), flow.path);
    if (!merged) return null;
    const breakpoints = mergeBreakpoints(base.breakpoints, changed.breakpoints, current.breakpoints);
    if (!isSameVersion(merged, versionOf(changed))) return { ...stateWith(flow, current, merged), breakpoints };
    return sameBreakpoints(breakpoints, changed.breakpoints) ? changed : { ...changed, breakpoints };
  };
}

/** Replaces the content by another version, as one undo step. */
export function withVersion(flow: OpenFlow, { text, layout }: FlowVersion, change: Change): OpenFlow {
  const state = stateWith(flow, stateIn(flow), { text, layout: layout ?? layoutOf(flow) });
  return { ...carried(flow, withState(flow, state)), history: noted(flow, change) };
}

/** Records that this layout of a flow in code was saved. */
export function withSavedLayout(flow: OpenFlow, written: FlowState): OpenFlow {
  return { ...flow, saved: written, synced: written };
}

/** Records that all windows now share this state, which this window has sent. */
export function withSynced(flow: OpenFlow, synced: FlowState, revision: FlowRevision): OpenFlow {
  return { ...flow, synced, revision };
}

/** True if all windows share the content of this one. */
export function isSynced(flow: OpenFlow): boolean {
  const { parsed, positions, arranged, extras } = flow.synced;
  if (flow.parsed === parsed && flow.positions === positions && flow.arranged === arranged && flow.extras === extras) return true;
  return isSameVersion(versionOf(flow), versionOf(flow.synced));
}

/**
 * Applies the content that all windows share now. Edits of this window that are not part of it yet stay if they can be
 * merged; otherwise the flow stays as it is until sending the edits settles it. `sent` is the content that this window
 * had sent, if this is the answer to it. `settled`: the shared content wins.
 */
export function withContent(
  flow: OpenFlow,
  content: FlowContent,
  { at, sent = flow.synced, settled = false }: { readonly at: number; readonly sent?: FlowState; readonly settled?: boolean },
): OpenFlow {
  if (content.code || !content.revision || isOutdated(flow.revision, content.revision)) return flow;
  const shared: FlowVersion = content.draft ?? content;
  const own = versionOf(flow);
  const merged = isSameVersion(own, versionOf(sent)) ? shared : mergeVersions(versionOf(sent), own, shared, flow.path);
  const taken = merged ?? (settled ? shared : null);
  if (!taken) return flow;
  const state = stateWith(flow, stateIn(flow), taken);
  const isSame = state.parsed === flow.parsed && state.positions === flow.positions && state.extras === flow.extras;
  const next = isSame ? flow : carried(flow, withState(flow, state));
  const fromDisk = !content.draft && content.hash !== flow.base_hash && content.text !== flow.parsed.text && flow.revision !== null;
  return {
    ...next,
    arranged: state.arranged,
    history: historyOver(flow, next, fromDisk ? at : null),
    ...aboutFile(next, content),
    synced: isSameVersion(taken, shared) ? stateIn({ ...next, arranged: state.arranged }) : stateWith(next, stateIn(next), shared),
    revision: content.revision,
    others: content.others,
  };
}

/** Automatic positions after another window's edit: nodes stay where they are until the layout is computed. */
function carried(before: OpenFlow, after: OpenFlow): OpenFlow {
  return after.arranged ? after : { ...after, positions: carryPositions(before.view, after.view, after.positions) };
}

/** A change from disk can be undone here; an edit of another window cannot. */
function historyOver(flow: OpenFlow, next: OpenFlow, fromDisk: number | null): History<FlowState> {
  if (next === flow) return flow.history;
  return fromDisk === null ? interrupted(flow.history, stateIn(flow)) : noted(flow, { label: texts.changeOnDisk, at: fromDisk });
}

function aboutFile(flow: OpenFlow, content: FlowContent): Pick<OpenFlow, 'saved' | 'base_hash' | 'disk' | 'restored_at'> {
  return {
    saved: stateWith(flow, flow.saved, { text: content.text, layout: content.layout }),
    base_hash: content.draft?.base_hash ?? content.hash,
    disk: diskOf(content),
    restored_at: content.draft ? flow.restored_at : null,
  };
}

function isOutdated(known: FlowRevision | null, revision: FlowRevision): boolean {
  return known?.document === revision.document && revision.number <= known.number;
}

/**
 * The state of a version. Parts that equal the flow's own, or `like`, keep their identity, so that nothing is parsed or
 * rendered again.
 */
function stateWith(flow: OpenFlow, like: FlowState, { text, layout }: FlowVersion): FlowState {
  const known = [flow, like].find(({ parsed }) => parsed.text === text);
  const positions = layout ? shareStructure(flow.positions, shareStructure(like.positions, layout.nodes)) : flow.positions;
  const extras = layout ? shareStructure(flow.extras, shareStructure(like.extras, extrasOf(layout))) : noExtras;
  const { breakpoints } = flow;
  return { parsed: known?.parsed ?? parseFlow(text, flow.path, flow.parsed), positions, arranged: layout !== null, extras, breakpoints };
}

function versionOf(state: FlowState): FlowVersion {
  return { text: state.parsed.text, layout: layoutOf(state) };
}

/** Loads the current content of the file, as one undo step. */
export function withDisk(flow: OpenFlow, content: FlowContent, at: number): OpenFlow {
  if (content.code) return withCode(flow, content, content.code);
  const saved = stateOf(content.path, content, parseFlow);
  const { breakpoints } = flow;
  const next = withState(flow, { ...saved, breakpoints, ...(!saved.arranged && { positions: flow.positions }) });
  const history = noted(flow, { label: texts.changeOnDisk, at });
  const state = stateIn(next);
  const { revision, others } = content;
  return { ...next, saved: state, synced: state, revision, others, base_hash: content.hash, disk: null, restored_at: null, history };
}

/** Applies a reloaded flow in code. If loading failed, the previous version stays visible and the report contains the problems. */
function withCode(flow: OpenFlow, content: FlowContent, code: CodeFlowContent): OpenFlow {
  const origins = content.text === '' ? (flow.code?.origins ?? []) : code.origins;
  const about = { code: { ...code, origins }, report: code.report, base_hash: content.hash, disk: null };
  if (content.text === '' || content.text === flow.parsed.text) return { ...flow, ...about };
  const read = { ...flow, parsed: parseFlow(content.text, flow.path), positions: flow.arranged ? flow.positions : {} };
  const next = withState(flow, read);
  const positions = flow.arranged ? carryPositions(flow.view, next.view, flow.positions) : {};
  const placed = { ...next, ...about, positions, history: emptyHistory };
  return { ...placed, saved: stateIn(placed), synced: stateIn(placed) };
}

/** Applies the inputs and outputs of nested flows. */
export function withInner(flow: OpenFlow, inner: InnerPorts): OpenFlow {
  const shared = shareStructure(flow.inner, inner);
  if (shared === flow.inner) return flow;
  const readable = readableFlow(flow.parsed, shared) ?? flow.readable;
  const view = viewOf(flow, readable);
  return { ...flow, inner: shared, readable, view, positions: carryPositions(flow.view, view, flow.positions) };
}

/** The part of an open flow that undo restores. */
export function stateIn({ parsed, positions, arranged, extras, breakpoints }: OpenFlow): FlowState {
  return { parsed, positions, arranged, extras, breakpoints };
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

function stateOf(path: string, { text, layout }: FlowVersion, read: ReadText): FlowState {
  const positions = layout?.nodes ?? {};
  return { parsed: read(text, path), positions, arranged: layout !== null, extras: extrasOf(layout), breakpoints: [] };
}
