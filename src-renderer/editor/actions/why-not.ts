import { currentFlow } from '#renderer/document/flows/editor.ts';
import { selectionStore } from '#renderer/document/flows/selection.ts';
import type { NodeView } from '#renderer/document/graph/graph-view.ts';
import { runSessionStore } from '#renderer/runs/model/run-stores.ts';
import { menuSubject } from '#renderer/shell/menu-store.ts';
import { texts } from './texts.ts';

/** The node selected last in the shown flow. */
export function selectedNode(): NodeView | undefined {
  const key = selectionStore.getState().nodes.at(-1);
  return currentFlow()?.view.nodes.find((node) => node.key === key);
}

/** The state that a command is about: of the port or token that its menu is for, else of the selected wire. */
export function subjectState(): string | undefined {
  const wire = selectionStore.getState().wires.at(-1);
  return menuSubject().state ?? currentFlow()?.view.wires.find(({ key }) => key === wire)?.state;
}

/** Returns the first of these reasons; null if nothing prevents the command. */
export function firstReason(...reasons: readonly (() => string | null)[]): () => string | null {
  return () => {
    for (const reason of reasons) {
      const why = reason();
      if (why !== null) return why;
    }
    return null;
  };
}

export function needsFlow(): string | null {
  return currentFlow() ? null : texts.why.noFlow;
}

/** The text of the shown flow can be changed here. */
export function needsEditable(): string | null {
  const flow = currentFlow();
  if (!flow) return texts.why.noFlow;
  if (flow.code) return texts.why.readOnly;
  return flow.readable ? null : texts.why.unreadable;
}

export function needsNode(): string | null {
  return selectedNode() ? null : texts.why.selectNode;
}

/** A node or a note, which can be copied. */
export function needsNodeOrNote(): string | null {
  const { nodes, notes } = selectionStore.getState();
  const focused = document.activeElement?.closest('[data-note]');
  return nodes.length + notes.length > 0 || focused ? null : texts.why.selectNode;
}

/** At least this many selected nodes. */
export function needsNodes(count: number): () => string | null {
  return () => (selectionStore.getState().nodes.length >= count ? null : texts.why.selectNodes(count));
}

export function needsNodeOrWire(): string | null {
  const { nodes, wires, notes } = selectionStore.getState();
  // The keyboard reaches wires by the focus, without selecting them.
  const focused = document.activeElement?.closest('.react-flow__edge');
  return nodes.length + wires.length + notes.length > 0 || focused ? null : texts.why.selectNodeOrWire;
}

/** A node, a wire or a state, at which a breakpoint can be set. */
export function needsBreakpointPlace(): string | null {
  return menuSubject().state === undefined ? needsNodeOrWire() : null;
}

export function needsState(): string | null {
  return subjectState() === undefined && !selectedNode()?.inputs[0] ? texts.why.selectState : null;
}

/** The selected node is an agent. */
export function needsAgent(): string | null {
  return selectedNode()?.kind === 'agent' ? null : texts.why.notAgent;
}

/** The selected node runs another flow. */
export function needsNested(): string | null {
  const kind = selectedNode()?.kind;
  return kind === 'flow' || kind === 'each' ? null : texts.why.notNested;
}

export function needsRun(): string | null {
  return runSessionStore.getState().view ? null : texts.why.noRun;
}

/** The shown run stands between two steps and can continue. */
export function needsPausedRun(): string | null {
  const { view, call } = runSessionStore.getState();
  return view?.status === 'paused' && !view.read_only && call === null ? null : texts.why.notPaused;
}
