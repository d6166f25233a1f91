import { editorStore, travel } from '#renderer/document/flows/editor.ts';
import { askAboutFlowFile } from '#renderer/document/flows/flow-file-task-store.ts';
import { goOut } from '#renderer/document/flows/nesting.ts';
import { saveFlow } from '#renderer/document/saving/saving.ts';
import { arrangeCommands, layoutCommands } from '#renderer/editor/actions/arrange-commands.ts';
import {
  editSelectedBreakpoint,
  runToSelection,
  switchSelectedBreakpoint,
  toggleBreakpointAtSelection,
} from '#renderer/editor/actions/breakpoint-actions.ts';
import { canvasCommands } from '#renderer/editor/actions/canvas-commands.ts';
import { copyByCommand, duplicateSelection, pasteByCommand } from '#renderer/editor/actions/clipboard-actions.ts';
import { extractSelection } from '#renderer/editor/actions/extract-selection.ts';
import { toggleFollow } from '#renderer/editor/actions/follow-store.ts';
import { toggleMap } from '#renderer/editor/actions/map-store.ts';
import { openSelectedNested } from '#renderer/editor/actions/open-nested.ts';
import { renameSelectedState } from '#renderer/editor/actions/rename-store.ts';
import { selectEverything } from '#renderer/editor/actions/selected.ts';
import { stateCommands } from '#renderer/editor/actions/state-commands.ts';
import { editSelectedTitle } from '#renderer/editor/actions/title-store.ts';
import { unpackSelection } from '#renderer/editor/actions/unpack-selection.ts';
import {
  firstReason,
  needsBreakpointPlace,
  needsEditable,
  needsFlow,
  needsNested,
  needsNode,
  needsNodeOrNote,
  needsNodeOrWire,
  needsPausedRun,
  needsRun,
  needsState,
} from '#renderer/editor/actions/why-not.ts';
import { playCounterexampleOfShownFlow } from '#renderer/editor/playback/play-counterexample.ts';
import { toggleAllBreakpoints } from '#renderer/runs/breakpoints/breakpoint-store.ts';
import { backToBreakpoint } from '#renderer/runs/debugger/back-to-breakpoint.ts';
import { giveRunCommand, retryFailedStep } from '#renderer/runs/debugger/give-run-command.ts';
import { runShortcuts } from '#renderer/runs/debugger/run-commands.ts';
import { recordShownRun } from '#renderer/runs/dialogs/record-request.ts';
import { openFind } from '#renderer/runs/find/find-store.ts';
import { heatKinds } from '#renderer/runs/layers/coverage-layer.ts';
import { toggleLayer } from '#renderer/runs/layers/coverage-store.ts';
import { runSessionStore } from '#renderer/runs/model/run-stores.ts';
import { continueWithEditedFlow } from '#renderer/runs/time-travel/continue-edited.ts';
import { chooseAndOpenCapsule } from '#renderer/runs/time-travel/open-capsule.ts';
import {
  compareShownRun,
  exportShownRun,
  forkShownRun,
  matrixOfShownRun,
  replayShownRun,
  restoreFilesOfShownRun,
  showMatrixOfShownRun,
} from '#renderer/runs/time-travel/time-travel-actions.ts';
import { askCanvas } from '#renderer/shell/canvas-requests.ts';
import { type Command, runOrExplain } from '#renderer/shell/command.ts';
import { dialogsStore } from '#renderer/shell/dialogs-store.ts';
import { menuSubject } from '#renderer/shell/menu-store.ts';
import { noticeProblem } from '#renderer/shell/notices.ts';
import { panelsStore } from '#renderer/shell/panels.ts';
import { chooseAndOpenFolder } from '#renderer/workspace/folder/choose-folder.ts';
import { openExample, setTrust, workspaceStore } from '#renderer/workspace/folder/workspace.ts';
import { changeSettings, settingsStore } from '#renderer/workspace/settings/settings.ts';
import { openToolBrowser } from '#renderer/workspace/tools/tool-browser-store.ts';
import { examples } from '#shared/contract/examples.ts';
import { flowCommands } from './flow-commands.ts';
import { openPalette } from './palette-store.ts';
import { needsSubjectRun, rowCommands, withSubjectRun } from './row-commands.ts';
import { texts } from './texts.ts';

const panels = () => panelsStore.getState();

function withPath(act: (path: string) => void): () => void {
  return () => {
    const path = editorStore.getState().current;
    if (path !== null) act(path);
  };
}

/** All commands, in display order. */
export const studioCommands: readonly Command[] = [
  { id: 'open_folder', title: texts.titles.openFolder, section: 'File', keys: ['Ctrl+O'], run: () => void chooseAndOpenFolder() },
  { id: 'new_flow', title: texts.titles.newFlow, section: 'File', keys: ['Ctrl+Alt+N'], run: () => askAboutFlowFile({ type: 'create' }) },
  { id: 'import_workflow', title: texts.titles.importWorkflow, section: 'File', run: () => openPalette('workflows') },
  ...examples.map(
    ({ name, title }): Command => ({
      id: `open_example_${name}`,
      title: texts.openExample(title),
      section: 'File',
      run: () => void openExample(name),
    }),
  ),
  { id: 'save', title: texts.titles.save, section: 'File', keys: ['Ctrl+S'], run: withPath((path) => void saveFlow(path)) },
  {
    id: 'save_all',
    title: texts.titles.saveAll,
    section: 'File',
    keys: ['Ctrl+Alt+S'],
    run: () => {
      for (const path of editorStore.getState().tabs) void saveFlow(path);
    },
  },
  ...flowCommands,
  {
    id: 'toggle_trust',
    title: texts.titles.toggleTrust,
    section: 'File',
    run: () => {
      const { workspace } = workspaceStore.getState();
      if (workspace) void setTrust(!workspace.trusted);
    },
  },
  {
    id: 'settings',
    title: texts.titles.settings,
    section: 'File',
    keys: ['Ctrl+,'],
    run: () => dialogsStore.setState({ open: 'settings' }),
  },
  { id: 'undo', title: texts.titles.undo, section: 'Edit', keys: ['Ctrl+Z'], notInText: true, run: () => travel('undo') },
  { id: 'redo', title: texts.titles.redo, section: 'Edit', keys: ['Ctrl+Shift+Z', 'Ctrl+Y'], notInText: true, run: () => travel('redo') },
  {
    id: 'history',
    title: texts.titles.history,
    section: 'Edit',
    keys: ['Ctrl+Alt+Z'],
    run: () => dialogsStore.setState({ open: 'history' }),
  },
  {
    id: 'select_all',
    title: texts.titles.selectAll,
    section: 'Edit',
    keys: ['Ctrl+A'],
    notInText: true,
    where: ['canvas'],
    whyNot: needsFlow,
    run: selectEverything,
  },
  {
    id: 'edit_title',
    title: texts.titles.editTitle,
    section: 'Edit',
    keys: ['F2'],
    notInText: true,
    short: texts.menu.editTitle,
    where: ['node'],
    whyNot: firstReason(needsEditable, needsNode),
    run: editSelectedTitle,
  },
  {
    id: 'rename_state',
    title: texts.titles.renameState,
    section: 'Edit',
    keys: ['Shift+F2'],
    notInText: true,
    short: texts.menu.renameState,
    where: ['node', 'wire', 'port', 'token'],
    whyNot: firstReason(needsEditable, needsState),
    run: renameSelectedState,
  },
  // These have no keys of their own: the browser's clipboard keys give access without a permission prompt.
  {
    id: 'copy',
    title: texts.titles.copy,
    section: 'Edit',
    short: texts.menu.copy,
    hint: 'Ctrl+C',
    where: ['node', 'selection', 'group', 'note'],
    whyNot: needsNodeOrNote,
    run: () => void copyByCommand(false),
  },
  {
    id: 'cut',
    title: texts.titles.cut,
    section: 'Edit',
    short: texts.menu.cut,
    hint: 'Ctrl+X',
    where: ['node', 'selection', 'group', 'note'],
    whyNot: firstReason(needsEditable, needsNodeOrNote),
    run: () => void copyByCommand(true),
  },
  {
    id: 'paste',
    title: texts.titles.paste,
    section: 'Edit',
    short: texts.menu.paste,
    hint: 'Ctrl+V',
    where: ['canvas'],
    whyNot: needsEditable,
    run: () => void pasteByCommand(),
  },
  {
    id: 'duplicate',
    title: texts.titles.duplicate,
    section: 'Edit',
    keys: ['Ctrl+D'],
    notInText: true,
    short: texts.menu.duplicate,
    where: ['node', 'selection', 'group', 'note'],
    whyNot: firstReason(needsEditable, needsNodeOrNote),
    run: duplicateSelection,
  },
  ...canvasCommands,
  {
    id: 'add_node',
    title: texts.titles.addNode,
    section: 'Edit',
    hint: 'N',
    where: ['canvas'],
    whyNot: needsEditable,
    run: () => askCanvas('add'),
  },
  {
    id: 'tidy',
    title: texts.titles.tidy,
    section: 'Edit',
    keys: ['Shift+Alt+T'],
    where: ['canvas', 'selection'],
    whyNot: needsFlow,
    run: () => askCanvas('tidy'),
  },
  ...layoutCommands,
  ...arrangeCommands,
  {
    id: 'extract',
    title: texts.titles.extract,
    section: 'Edit',
    keys: ['Ctrl+Shift+E'],
    notInText: true,
    short: texts.menu.extract,
    where: ['node', 'selection'],
    whyNot: firstReason(needsEditable, needsNode),
    run: extractSelection,
  },
  {
    id: 'unpack',
    title: texts.titles.unpack,
    section: 'Edit',
    short: texts.menu.unpack,
    where: ['node'],
    whyNot: firstReason(needsEditable, needsNode, needsNested),
    run: () => void unpackSelection(),
  },
  { id: 'commands', title: texts.titles.commands, section: 'View', keys: ['Ctrl+K', 'Ctrl+Shift+P'], run: () => openPalette('commands') },
  { id: 'go_to', title: texts.titles.goTo, section: 'View', keys: ['Ctrl+P'], run: () => openPalette('places') },
  {
    id: 'find',
    title: texts.titles.find,
    section: 'View',
    keys: ['Ctrl+F'],
    run: () => dialogsStore.setState({ open: 'find' }),
  },
  { id: 'focus_canvas', title: texts.titles.focusCanvas, section: 'View', keys: ['Ctrl+Alt+C'], run: () => askCanvas('focus') },
  {
    id: 'go_into',
    title: texts.titles.goInto,
    section: 'View',
    short: texts.menu.goInto,
    where: ['node'],
    whyNot: firstReason(needsNode, needsNested),
    run: openSelectedNested,
  },
  {
    id: 'go_out',
    title: texts.titles.goOut,
    section: 'View',
    keys: ['Alt+ArrowUp'],
    notInText: true,
    run: () => void goOut(),
  },
  {
    id: 'fit',
    title: texts.titles.fit,
    section: 'View',
    keys: ['Shift+1'],
    notInText: true,
    where: ['canvas'],
    run: () => askCanvas('fit'),
  },
  {
    id: 'fit_selection',
    title: texts.titles.fitSelection,
    section: 'View',
    keys: ['Shift+2'],
    notInText: true,
    where: ['selection'],
    whyNot: needsNode,
    run: () => askCanvas('fit_selection'),
  },
  {
    id: 'follow_run',
    title: texts.titles.followRun,
    section: 'View',
    keys: ['Shift+F'],
    notInText: true,
    run: toggleFollow,
  },
  { id: 'toggle_map', title: texts.titles.toggleMap, section: 'View', keys: ['Alt+M'], notInText: true, where: ['canvas'], run: toggleMap },
  { id: 'zoom_100', title: texts.titles.zoom100, section: 'View', keys: ['Ctrl+0'], where: ['canvas'], run: () => askCanvas('zoom_100') },
  { id: 'zoom_in', title: texts.titles.zoomIn, section: 'View', keys: ['Ctrl++', 'Ctrl+='], run: () => askCanvas('zoom_in') },
  { id: 'zoom_out', title: texts.titles.zoomOut, section: 'View', keys: ['Ctrl+-'], run: () => askCanvas('zoom_out') },
  { id: 'toggle_left', title: texts.titles.toggleLeft, section: 'View', keys: ['Ctrl+B'], run: () => panels().toggle('left') },
  { id: 'toggle_bottom', title: texts.titles.toggleBottom, section: 'View', keys: ['Ctrl+J'], run: () => panels().toggle('bottom') },
  { id: 'toggle_right', title: texts.titles.toggleRight, section: 'View', keys: ['Ctrl+Alt+B'], run: () => panels().toggle('right') },
  { id: 'toggle_panels', title: texts.titles.togglePanels, section: 'View', keys: ['Ctrl+Alt+F'], run: () => panels().toggleAll() },
  { id: 'library', title: texts.titles.library, section: 'View', run: () => panels().showLeft('library') },
  { id: 'tools', title: texts.titles.tools, section: 'View', run: () => openToolBrowser() },
  { id: 'flows', title: texts.titles.flows, section: 'View', run: () => panels().showLeft('flows') },
  { id: 'outline', title: texts.titles.outline, section: 'View', run: () => panels().showLeft('outline') },
  { id: 'conversations', title: texts.titles.conversations, section: 'View', run: () => panels().showLeft('conversations') },
  { id: 'chat', title: texts.titles.chat, section: 'View', keys: ['Ctrl+Shift+C'], run: () => panels().showRight('chat') },
  { id: 'problems', title: texts.titles.problems, section: 'View', keys: ['Ctrl+Shift+M'], run: () => panels().showBottom('problems') },
  { id: 'runs', title: texts.titles.runs, section: 'View', run: () => panels().showBottom('runs') },
  { id: 'play_counterexample', title: texts.titles.playCounterexample, section: 'View', run: playCounterexampleOfShownFlow },
  { id: 'waiting', title: texts.titles.waiting, section: 'View', run: () => panels().showRight('waiting') },
  {
    id: 'theme',
    title: texts.titles.theme,
    section: 'View',
    run: () => {
      const dark = document.documentElement.dataset.mantineColorScheme === 'dark';
      void changeSettings({ color_scheme: dark ? 'light' : 'dark' });
    },
  },
  {
    id: 'panning',
    title: texts.titles.panning,
    section: 'View',
    run: () => void changeSettings({ panning: settingsStore.getState().panning === 'design' ? 'map' : 'design' }),
  },
  { id: 'run', title: texts.titles.run, section: 'Run', keys: [runShortcuts.run], run: () => giveRunCommand('run') },
  { id: 'continue', title: texts.titles.continue, section: 'Run', keys: [runShortcuts.continue], run: () => giveRunCommand('continue') },
  { id: 'step_over', title: texts.titles.stepOver, section: 'Run', keys: [runShortcuts.over], run: () => giveRunCommand('over') },
  { id: 'step_into', title: texts.titles.stepInto, section: 'Run', keys: [runShortcuts.into], run: () => giveRunCommand('into') },
  { id: 'step_out', title: texts.titles.stepOut, section: 'Run', keys: [runShortcuts.out], run: () => giveRunCommand('out') },
  { id: 'step_back', title: texts.titles.stepBack, section: 'Run', keys: [runShortcuts.back], run: () => giveRunCommand('back') },
  { id: 'pause', title: texts.titles.pause, section: 'Run', keys: [runShortcuts.pause], run: () => giveRunCommand('pause') },
  { id: 'stop', title: texts.titles.stop, section: 'Run', keys: [runShortcuts.stop], run: () => giveRunCommand('stop') },
  {
    id: 'view_step',
    title: texts.titles.viewStep,
    short: texts.menu.viewStep,
    section: 'Run',
    where: ['step'],
    whyNot: needsRun,
    run: () => runSessionStore.getState().select(menuSubject().seq ?? runSessionStore.getState().selected),
  },
  { id: 'retry', title: texts.titles.retry, section: 'Run', run: retryFailedStep },
  { id: 'continue_edited', title: texts.titles.continueEdited, section: 'Run', run: () => void continueWithEditedFlow() },
  {
    id: 'fork',
    title: texts.titles.fork,
    section: 'Run',
    short: texts.menu.fork,
    where: ['step', 'run'],
    whyNot: needsSubjectRun,
    run: () => {
      const { seq } = menuSubject();
      void withSubjectRun(() => forkShownRun(seq));
    },
  },
  {
    id: 'matrix',
    title: texts.titles.matrix,
    section: 'Run',
    short: texts.menu.matrix,
    where: ['step', 'run'],
    whyNot: needsSubjectRun,
    run: () => {
      const { seq } = menuSubject();
      void withSubjectRun(() => matrixOfShownRun(seq));
    },
  },
  { id: 'show_matrix', title: texts.titles.showMatrix, section: 'Run', run: showMatrixOfShownRun },
  { id: 'compare', title: texts.titles.compare, section: 'Run', run: compareShownRun },
  {
    id: 'replay',
    title: texts.titles.replay,
    section: 'Run',
    where: ['run'],
    whyNot: needsSubjectRun,
    run: () => void withSubjectRun(() => replayShownRun('recorded')),
  },
  { id: 'replay_current', title: texts.titles.replayCurrent, section: 'Run', run: () => replayShownRun('current') },
  {
    id: 'restore',
    title: texts.titles.restore,
    section: 'Run',
    short: texts.menu.restore,
    where: ['step'],
    whyNot: needsRun,
    run: () => restoreFilesOfShownRun(menuSubject().seq),
  },
  { id: 'record', title: texts.titles.record, section: 'Run', run: recordShownRun },
  {
    id: 'export_run',
    title: texts.titles.exportRun,
    short: texts.menu.exportRun,
    section: 'Run',
    where: ['run'],
    whyNot: needsSubjectRun,
    run: () => void withSubjectRun(exportShownRun),
  },
  { id: 'open_capsule', title: texts.titles.openCapsule, section: 'Run', run: chooseAndOpenCapsule },
  {
    id: 'toggle_breakpoint',
    title: texts.titles.toggleBreakpoint,
    section: 'Debug',
    keys: ['F9'],
    short: texts.menu.breakpoint,
    where: ['node', 'wire', 'port', 'token'],
    whyNot: needsBreakpointPlace,
    run: toggleBreakpointAtSelection,
  },
  {
    id: 'edit_breakpoint',
    title: texts.titles.editBreakpoint,
    section: 'Debug',
    keys: ['Shift+F9'],
    short: texts.menu.editBreakpoint,
    where: ['node', 'wire'],
    whyNot: needsNodeOrWire,
    run: () => void editSelectedBreakpoint(),
  },
  {
    id: 'switch_breakpoint',
    title: texts.titles.switchBreakpoint,
    section: 'Debug',
    keys: ['Ctrl+F9'],
    run: switchSelectedBreakpoint,
  },
  {
    id: 'switch_breakpoints',
    title: texts.titles.switchBreakpoints,
    section: 'Debug',
    keys: ['Ctrl+Shift+F9'],
    run: () => void toggleAllBreakpoints(),
  },
  {
    id: 'run_to_here',
    title: texts.titles.runToHere,
    section: 'Debug',
    keys: ['Ctrl+F10'],
    short: texts.menu.runToHere,
    where: ['node', 'wire'],
    whyNot: firstReason(needsNodeOrWire, needsPausedRun),
    run: () => void runToSelection(),
  },
  { id: 'previous_stop', title: texts.titles.previousStop, section: 'Debug', keys: ['Alt+F5'], run: () => void backToBreakpoint() },
  { id: 'find_in_run', title: texts.titles.findInRun, section: 'Debug', keys: ['Ctrl+Shift+F'], whyNot: needsRun, run: openFind },
  ...stateCommands,
  ...rowCommands,
  ...heatKinds.map(
    (kind): Command => ({ id: `layer_${kind}`, title: texts.layers[kind], section: 'Debug', run: () => void toggleLayer(kind) }),
  ),
  { id: 'debug_panel', title: texts.titles.debugPanel, section: 'Debug', run: () => panels().showRight('debug') },
  {
    id: 'shortcuts',
    title: texts.titles.shortcuts,
    section: 'Help',
    keys: ['?'],
    notInText: true,
    run: () => dialogsStore.setState({ open: 'shortcuts' }),
  },
];

/** Runs a command by id. Ignores unknown ids, such as those of a newer host's menu. */
export function runCommand(id: string): void {
  const command = studioCommands.find((candidate) => candidate.id === id);
  if (command) runOrExplain(command, (why) => noticeProblem(command.title, why));
}
