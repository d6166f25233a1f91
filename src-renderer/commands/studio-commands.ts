import { arrangeCommands } from '#renderer/canvas/arrange-commands.ts';
import { copyByCommand, duplicateSelection, pasteByCommand } from '#renderer/canvas/clipboard-actions.ts';
import { extractSelection } from '#renderer/canvas/extract-selection.ts';
import { toggleFollow } from '#renderer/canvas/follow-store.ts';
import { openSelectedNested } from '#renderer/canvas/open-nested.ts';
import { renameSelectedState } from '#renderer/canvas/rename-store.ts';
import { editSelectedTitle } from '#renderer/canvas/title-store.ts';
import { unpackSelection } from '#renderer/canvas/unpack-selection.ts';
import { giveRunCommand, retryFailedStep } from '#renderer/debugger/give-run-command.ts';
import { runShortcuts } from '#renderer/debugger/run-commands.ts';
import { chooseAndOpenFolder } from '#renderer/folder/choose-folder.ts';
import { openFlowElsewhere } from '#renderer/folder/open-elsewhere-store.ts';
import { askAboutFlowFile } from '#renderer/library/flow-file-task-store.ts';
import { playCounterexampleOfShownFlow } from '#renderer/playback/play-counterexample.ts';
import { recordShownRun } from '#renderer/runs/record-request.ts';
import { currentFlow, editorStore, travel } from '#renderer/stores/editor.ts';
import { goOut } from '#renderer/stores/nesting.ts';
import { panelsStore } from '#renderer/stores/panels.ts';
import { saveFlow } from '#renderer/stores/saving.ts';
import { select } from '#renderer/stores/selection.ts';
import { changeSettings, settingsStore } from '#renderer/stores/settings.ts';
import { openExample, setTrust, workspaceStore } from '#renderer/stores/workspace.ts';
import { continueWithFixedFlow } from '#renderer/time-travel/continue-fixed.ts';
import { chooseAndOpenCapsule } from '#renderer/time-travel/open-capsule.ts';
import {
  compareShownRun,
  exportShownRun,
  forkShownRun,
  replayShownRun,
  restoreFilesOfShownRun,
} from '#renderer/time-travel/time-travel-actions.ts';
import { openToolBrowser } from '#renderer/tools/tool-browser-store.ts';
import { examples } from '#shared/contract/examples.ts';
import { askCanvas } from './canvas-requests.ts';
import type { Command } from './command.ts';
import { dialogsStore } from './dialogs-store.ts';
import { openPalette } from './palette-store.ts';

const panels = () => panelsStore.getState();

function withPath(act: (path: string) => void): () => void {
  return () => {
    const path = editorStore.getState().current;
    if (path !== null) act(path);
  };
}

/** Every command of the studio, in the order in which they are listed. */
export const studioCommands: readonly Command[] = [
  { id: 'open_folder', title: 'Open folder…', section: 'File', keys: ['Ctrl+O'], run: () => void chooseAndOpenFolder() },
  { id: 'new_flow', title: 'New flow…', section: 'File', keys: ['Ctrl+Alt+N'], run: () => askAboutFlowFile({ type: 'create' }) },
  ...examples.map(
    ({ name, title }): Command => ({
      id: `open_example_${name}`,
      title: `Open the example “${title}”`,
      section: 'File',
      run: () => void openExample(name),
    }),
  ),
  { id: 'save', title: 'Save', section: 'File', keys: ['Ctrl+S'], run: withPath((path) => void saveFlow(path)) },
  {
    id: 'save_all',
    title: 'Save all',
    section: 'File',
    keys: ['Ctrl+Alt+S'],
    run: () => {
      for (const path of editorStore.getState().tabs) void saveFlow(path);
    },
  },
  { id: 'open_with_flow', title: 'Open with flow… (use this flow in another folder)', section: 'File', run: withPath(openFlowElsewhere) },
  {
    id: 'toggle_trust',
    title: 'Trust this folder, or no longer',
    section: 'File',
    run: () => {
      const { workspace } = workspaceStore.getState();
      if (workspace) void setTrust(!workspace.trusted);
    },
  },
  { id: 'settings', title: 'Settings…', section: 'File', keys: ['Ctrl+,'], run: () => dialogsStore.setState({ open: 'settings' }) },
  { id: 'undo', title: 'Undo', section: 'Edit', keys: ['Ctrl+Z'], notInText: true, run: () => travel('undo') },
  { id: 'redo', title: 'Redo', section: 'Edit', keys: ['Ctrl+Shift+Z', 'Ctrl+Y'], notInText: true, run: () => travel('redo') },
  {
    id: 'history',
    title: 'Undo history…',
    section: 'Edit',
    keys: ['Ctrl+Alt+Z'],
    run: () => dialogsStore.setState({ open: 'history' }),
  },
  {
    id: 'select_all',
    title: 'Select all nodes',
    section: 'Edit',
    keys: ['Ctrl+A'],
    notInText: true,
    run: () => select(currentFlow()?.view.nodes.map((node) => node.key) ?? []),
  },
  {
    id: 'edit_title',
    title: 'Edit the title of the selected node',
    section: 'Edit',
    keys: ['F2'],
    notInText: true,
    run: editSelectedTitle,
  },
  {
    id: 'rename_state',
    title: 'Rename the state of the selection…',
    section: 'Edit',
    keys: ['Shift+F2'],
    notInText: true,
    run: renameSelectedState,
  },
  // Their keys are the browser's own, which give the canvas the clipboard without asking.
  { id: 'copy', title: 'Copy the selected nodes', section: 'Edit', run: () => void copyByCommand(false) },
  { id: 'cut', title: 'Cut the selected nodes', section: 'Edit', run: () => void copyByCommand(true) },
  { id: 'paste', title: 'Paste nodes', section: 'Edit', run: () => void pasteByCommand() },
  { id: 'duplicate', title: 'Duplicate the selection', section: 'Edit', keys: ['Ctrl+D'], notInText: true, run: duplicateSelection },
  { id: 'add_node', title: 'Add a node…', section: 'Edit', run: () => askCanvas('add') },
  { id: 'tidy', title: 'Tidy the layout, or the selection', section: 'Edit', keys: ['Shift+Alt+T'], run: () => askCanvas('tidy') },
  ...arrangeCommands,
  {
    id: 'extract',
    title: 'Make a nested flow of the selection…',
    section: 'Edit',
    keys: ['Ctrl+Shift+E'],
    notInText: true,
    run: extractSelection,
  },
  { id: 'unpack', title: 'Unpack the selected nested flow', section: 'Edit', run: () => void unpackSelection() },
  { id: 'commands', title: 'Show all commands', section: 'View', keys: ['Ctrl+K', 'Ctrl+Shift+P'], run: () => openPalette('commands') },
  { id: 'go_to', title: 'Go to a node or flow…', section: 'View', keys: ['Ctrl+P'], run: () => openPalette('places') },
  {
    id: 'find',
    title: 'Find in names, code and prompts…',
    section: 'View',
    keys: ['Ctrl+F'],
    run: () => dialogsStore.setState({ open: 'find' }),
  },
  { id: 'focus_canvas', title: 'Go to the canvas', section: 'View', keys: ['Ctrl+Alt+C'], run: () => askCanvas('focus') },
  { id: 'go_into', title: 'Open the selected nested flow', section: 'View', run: openSelectedNested },
  {
    id: 'go_out',
    title: 'Back to the outer flow',
    section: 'View',
    keys: ['Alt+ArrowUp'],
    notInText: true,
    run: () => void goOut(),
  },
  { id: 'fit', title: 'Show the whole flow', section: 'View', keys: ['Shift+1'], notInText: true, run: () => askCanvas('fit') },
  {
    id: 'fit_selection',
    title: 'Show the selection',
    section: 'View',
    keys: ['Shift+2'],
    notInText: true,
    run: () => askCanvas('fit_selection'),
  },
  {
    id: 'follow_run',
    title: 'Follow the run on the canvas, or no longer',
    section: 'View',
    keys: ['Shift+F'],
    notInText: true,
    run: toggleFollow,
  },
  { id: 'zoom_100', title: 'Zoom to 100 %', section: 'View', keys: ['Ctrl+0'], run: () => askCanvas('zoom_100') },
  { id: 'zoom_in', title: 'Zoom in', section: 'View', keys: ['Ctrl++', 'Ctrl+='], run: () => askCanvas('zoom_in') },
  { id: 'zoom_out', title: 'Zoom out', section: 'View', keys: ['Ctrl+-'], run: () => askCanvas('zoom_out') },
  { id: 'toggle_left', title: 'Fold or open the left panel', section: 'View', keys: ['Ctrl+B'], run: () => panels().toggle('left') },
  { id: 'toggle_bottom', title: 'Fold or open the bottom panel', section: 'View', keys: ['Ctrl+J'], run: () => panels().toggle('bottom') },
  { id: 'toggle_right', title: 'Fold or open the right panel', section: 'View', keys: ['Ctrl+Alt+B'], run: () => panels().toggle('right') },
  { id: 'library', title: 'Show the library', section: 'View', run: () => panels().showLeft('library') },
  { id: 'tools', title: 'Browse tools and MCP servers…', section: 'View', run: () => openToolBrowser() },
  { id: 'flows', title: 'Show the flows', section: 'View', run: () => panels().showLeft('flows') },
  { id: 'outline', title: 'Show the outline', section: 'View', run: () => panels().showLeft('outline') },
  { id: 'problems', title: 'Show the problems', section: 'View', keys: ['Ctrl+Shift+M'], run: () => panels().showBottom('problems') },
  { id: 'play_counterexample', title: 'Play why the flow is not sound', section: 'View', run: playCounterexampleOfShownFlow },
  { id: 'waiting', title: 'Show what waits for you', section: 'View', run: () => panels().showRight('waiting') },
  {
    id: 'theme',
    title: 'Switch between light and dark',
    section: 'View',
    run: () => {
      const dark = document.documentElement.dataset.mantineColorScheme === 'dark';
      void changeSettings({ color_scheme: dark ? 'light' : 'dark' });
    },
  },
  {
    id: 'panning',
    title: 'Switch between design and map panning',
    section: 'View',
    run: () => void changeSettings({ panning: settingsStore.getState().panning === 'design' ? 'map' : 'design' }),
  },
  { id: 'run', title: 'Run the flow…', section: 'Run', keys: [runShortcuts.run], run: () => giveRunCommand('run') },
  { id: 'continue', title: 'Continue', section: 'Run', keys: [runShortcuts.continue], run: () => giveRunCommand('continue') },
  { id: 'step_over', title: 'Step over', section: 'Run', keys: [runShortcuts.over], run: () => giveRunCommand('over') },
  { id: 'step_into', title: 'Step into', section: 'Run', keys: [runShortcuts.into], run: () => giveRunCommand('into') },
  { id: 'step_out', title: 'Step out', section: 'Run', keys: [runShortcuts.out], run: () => giveRunCommand('out') },
  { id: 'step_back', title: 'Look one step back', section: 'Run', keys: [runShortcuts.back], run: () => giveRunCommand('back') },
  { id: 'pause', title: 'Pause', section: 'Run', keys: [runShortcuts.pause], run: () => giveRunCommand('pause') },
  { id: 'stop', title: 'Stop', section: 'Run', keys: [runShortcuts.stop], run: () => giveRunCommand('stop') },
  { id: 'retry', title: 'Retry the failed step with the original flow', section: 'Run', run: retryFailedStep },
  { id: 'continue_fixed', title: 'Continue with the fixed flow', section: 'Run', run: () => void continueWithFixedFlow() },
  { id: 'fork', title: 'Run from here… (fork at the step looked at)', section: 'Run', run: () => forkShownRun() },
  { id: 'compare', title: 'Compare this run with another…', section: 'Run', run: compareShownRun },
  { id: 'replay', title: 'Replay this run from the record', section: 'Run', run: () => replayShownRun('recorded') },
  { id: 'replay_current', title: 'Replay this run with the flow as saved now', section: 'Run', run: () => replayShownRun('current') },
  { id: 'restore', title: 'Restore files as after the step looked at…', section: 'Run', run: () => restoreFilesOfShownRun() },
  { id: 'record', title: 'Record the models’ answers of this run…', section: 'Run', run: recordShownRun },
  { id: 'export_run', title: 'Export this run as a capsule…', section: 'Run', run: exportShownRun },
  { id: 'open_capsule', title: 'Open a capsule…', section: 'Run', run: chooseAndOpenCapsule },
  {
    id: 'shortcuts',
    title: 'Keyboard shortcuts',
    section: 'Help',
    keys: ['?'],
    notInText: true,
    run: () => dialogsStore.setState({ open: 'shortcuts' }),
  },
];

/** Does the command of this id; unknown ids, of a newer host's menu, are passed over. */
export function giveCommand(id: string): void {
  studioCommands.find((command) => command.id === id)?.run();
}
