import { currentFlow } from '#renderer/document/flows/editor.ts';
import { selectionStore } from '#renderer/document/flows/selection.ts';
import { breakpointStore, putWatches } from '#renderer/runs/breakpoints/breakpoint-store.ts';
import { beginChat } from '#renderer/runs/conversations/chat-store.ts';
import { watchExpression } from '#renderer/runs/lineage/watch-expression.ts';
import { switchAllSupplied } from '#renderer/runs/supplied/supplied-store.ts';
import { askCanvas } from '#renderer/shell/canvas-requests.ts';
import type { Command } from '#renderer/shell/command.ts';
import { menuSubject } from '#renderer/shell/menu-store.ts';
import { panelsStore } from '#renderer/shell/panels.ts';
import { deleteSelection } from './delete-selection.ts';
import { growSelection } from './grow-selection.ts';
import {
  colourSelectedNote,
  editSelectedNote,
  foldSelection,
  groupSelection,
  ownGroups,
  selectedNote,
  subjectGroups,
  ungroupSelection,
} from './note-actions.ts';
import { openInInspector } from './open-in-inspector.ts';
import { runSelectedAlone, toggleDisabledAtSelection, togglePinAtSelection } from './pin-actions.ts';
import { openQuickAdd } from './quick-add-store.ts';
import { texts } from './texts.ts';
import {
  firstReason,
  needsAgent,
  needsEditable,
  needsFlow,
  needsNode,
  needsNodeOrWire,
  needsRun,
  needsState,
  selectedNode,
  subjectState,
} from './why-not.ts';

/** Commands for what is on the canvas, which its own keys or gestures run, too. */
export const canvasCommands: readonly Command[] = [
  {
    id: 'open_inspector',
    title: texts.commands.openInspector,
    short: texts.commands.openInspectorShort,
    section: 'View',
    hint: 'Enter',
    where: ['node'],
    whyNot: needsNode,
    run: () => {
      const node = selectedNode();
      if (node) openInInspector(node.key);
    },
  },
  {
    id: 'add_at_port',
    title: texts.commands.addAtPort,
    short: texts.commands.addAtPortShort,
    section: 'Edit',
    where: ['port'],
    whyNot: firstReason(needsEditable, needsState),
    run: addAtPort,
  },
  {
    id: 'add_on_wire',
    title: texts.commands.addOnWire,
    short: texts.commands.addOnWireShort,
    section: 'Edit',
    where: ['wire'],
    whyNot: firstReason(needsEditable, needsWire),
    run: addOnWire,
  },
  {
    id: 'show_value',
    title: texts.commands.showValue,
    short: texts.commands.showValueShort,
    section: 'Debug',
    where: ['token'],
    whyNot: needsRun,
    run: () => panelsStore.getState().showBottom('state'),
  },
  {
    id: 'watch_state',
    title: texts.commands.watchState,
    short: texts.commands.watchStateShort,
    section: 'Debug',
    where: ['token', 'port', 'wire', 'state'],
    whyNot: firstReason(needsWatchable, isWatched),
    run: () => {
      const flow = currentFlow();
      if (flow) void putWatches(flow.path, [...watchesOf(flow.path), watchOf()]);
      panelsStore.getState().showRight('debug');
    },
  },
  {
    id: 'pin_output',
    title: texts.commands.pin,
    short: texts.commands.pinShort,
    section: 'Debug',
    hint: 'P',
    where: ['node'],
    whyNot: needsNode,
    run: togglePinAtSelection,
  },
  {
    id: 'disable_node',
    title: texts.commands.disable,
    short: texts.commands.disableShort,
    section: 'Debug',
    hint: 'D',
    where: ['node'],
    whyNot: needsNode,
    run: toggleDisabledAtSelection,
  },
  {
    id: 'run_alone',
    title: texts.commands.runAlone,
    short: texts.commands.runAloneShort,
    section: 'Run',
    where: ['node'],
    whyNot: firstReason(needsNode, needsEditable),
    run: runSelectedAlone,
  },
  {
    id: 'try_agent',
    title: texts.commands.tryAgent,
    short: texts.commands.tryAgentShort,
    section: 'Run',
    where: ['node'],
    whyNot: firstReason(needsNode, needsEditable, needsAgent),
    run: () => {
      const [node, flow] = [selectedNode(), currentFlow()];
      if (node && flow) beginChat({ path: flow.path, index: node.index });
    },
  },
  {
    id: 'switch_supplied',
    title: texts.commands.switchSupplied,
    section: 'Debug',
    run: () => void switchAllSupplied(!breakpointStore.getState().supplied_on),
  },
  {
    id: 'add_note',
    title: texts.commands.addNote,
    section: 'Edit',
    keys: ['Shift+S'],
    notInText: true,
    where: ['canvas'],
    whyNot: needsFlow,
    run: () => askCanvas('note'),
  },
  {
    id: 'edit_note',
    title: texts.commands.editNote,
    short: texts.commands.editNoteShort,
    section: 'Edit',
    where: ['note'],
    whyNot: needsNote,
    run: editSelectedNote,
  },
  {
    id: 'colour_note',
    title: texts.commands.colourNote,
    short: texts.commands.colourNoteShort,
    section: 'Edit',
    where: ['note'],
    whyNot: needsNote,
    run: colourSelectedNote,
  },
  {
    id: 'group',
    title: texts.commands.group,
    short: texts.commands.groupShort,
    section: 'Edit',
    keys: ['Ctrl+G'],
    notInText: true,
    where: ['node', 'selection'],
    whyNot: needsNode,
    run: groupSelection,
  },
  {
    id: 'ungroup',
    title: texts.commands.ungroup,
    short: texts.commands.ungroupShort,
    section: 'Edit',
    keys: ['Ctrl+Shift+G'],
    notInText: true,
    where: ['node', 'selection', 'group'],
    whyNot: needsOwnGroup,
    run: ungroupSelection,
  },
  {
    id: 'fold_group',
    title: texts.commands.fold,
    short: texts.commands.foldShort,
    section: 'Edit',
    where: ['node', 'selection', 'group'],
    whyNot: needsGroup,
    run: foldSelection,
  },
  {
    id: 'select_before',
    title: texts.commands.before,
    section: 'Edit',
    keys: ['Shift+ArrowLeft'],
    notInText: true,
    where: ['node', 'selection'],
    whyNot: needsNode,
    run: () => growSelection('before'),
  },
  {
    id: 'select_after',
    title: texts.commands.after,
    section: 'Edit',
    keys: ['Shift+ArrowRight'],
    notInText: true,
    where: ['node', 'selection'],
    whyNot: needsNode,
    run: () => growSelection('after'),
  },
  {
    id: 'delete',
    title: texts.commands.delete,
    short: texts.commands.deleteShort,
    section: 'Edit',
    hint: 'Delete',
    where: ['node', 'selection', 'wire', 'note'],
    whyNot: firstReason(needsEditable, needsNodeOrWire),
    run: () => void deleteSelection(),
  },
];

function needsNote(): string | null {
  return selectedNote() ? null : texts.why.selectNote;
}

function needsWatchable(): string | null {
  return menuSubject().value ? null : needsState();
}

function needsGroup(): string | null {
  return subjectGroups().length > 0 ? null : texts.why.noGroup;
}

function needsOwnGroup(): string | null {
  return ownGroups().length > 0 ? null : texts.why.noGroup;
}

function watchOf(): string {
  const { value } = menuSubject();
  if (value) return watchExpression(value.state, value.path ?? '');
  return `states.${subjectState() ?? selectedNode()?.inputs[0]?.state ?? ''}`;
}

function watchesOf(path: string): string[] {
  return breakpointStore.getState().watches.flatMap(({ flow, expression }) => (flow === path ? [expression] : []));
}

function isWatched(): string | null {
  return watchesOf(currentFlow()?.path ?? '').includes(watchOf()) ? texts.why.watched : null;
}

function selectedWire() {
  const key = selectionStore.getState().wires.at(-1);
  return currentFlow()?.view.wires.find((wire) => wire.key === key);
}

function needsWire(): string | null {
  return selectedWire() ? null : texts.why.selectWire;
}

/** Opens the menu that adds a node between the two ends of the selected wire. */
function addOnWire(): void {
  const wire = selectedWire();
  const flow = currentFlow();
  const [source, target] = [flow?.positions[wire?.source ?? ''], flow?.positions[wire?.target ?? '']];
  if (!wire || !source || !target) return;
  const at = { x: (source.x + target.x) / 2, y: (source.y + target.y) / 2 };
  openQuickAdd({ screen: menuSubject().point ?? { x: 200, y: 200 }, at, wire: wire.key, consumes: wire.state });
}

/** Opens the menu that adds a node, connected to the port that the command's menu is for, else to the selected node's output. */
function addAtPort(): void {
  const { state, side, node: key, point } = menuSubject();
  const flow = currentFlow();
  const node = flow?.view.nodes.find((candidate) => candidate.key === key) ?? selectedNode();
  const place = node && flow?.positions[node.key];
  const name = state ?? node?.outputs[0]?.state;
  if (!node || !place || name === undefined) return;
  const isInput = side === 'input';
  const at = { x: place.x + (isInput ? -300 : 300), y: place.y };
  const ports = isInput ? node.inputs : node.outputs;
  const from = { node: node.key, handle: `${isInput ? 'input' : 'output'}:${ports.findIndex((port) => port.state === name)}` };
  openQuickAdd({ screen: point ?? { x: 200, y: 200 }, at, from, [isInput ? 'produces' : 'consumes']: name });
}
