import { app, Menu, type MenuItemConstructorOptions } from 'electron';

/** Sends a command to the page by its id, as in the command palette. */
export type GiveCommand = (command: string) => void;

const isMac = process.platform === 'darwin';

/** Sets the application menu. It only displays shortcuts; the page handles them, because it knows what has the focus. */
export function setMenu(give: GiveCommand): void {
  const item = (label: string, command: string, accelerator?: string): MenuItemConstructorOptions => ({
    label,
    click: () => give(command),
    ...(accelerator && { accelerator, registerAccelerator: false }),
  });
  const separator: MenuItemConstructorOptions = { type: 'separator' };
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      ...(isMac ? [{ role: 'appMenu' as const }] : []),
      {
        label: '&File',
        submenu: [
          item('Open Folder…', 'open_folder', 'CmdOrCtrl+O'),
          ...(isMac
            ? [{ label: 'Open Recent', role: 'recentDocuments' as const, submenu: [{ role: 'clearRecentDocuments' as const }] }]
            : []),
          item('Use Flow in Another Folder…', 'open_with_flow'),
          separator,
          item('Save', 'save', 'CmdOrCtrl+S'),
          item('Save All', 'save_all', 'CmdOrCtrl+Alt+S'),
          separator,
          item('Settings…', 'settings', 'CmdOrCtrl+,'),
          separator,
          isMac ? { role: 'close' } : { role: 'quit' },
        ],
      },
      {
        label: '&Edit',
        submenu: [
          item('Undo', 'undo', 'CmdOrCtrl+Z'),
          item('Redo', 'redo', 'CmdOrCtrl+Shift+Z'),
          item('Undo History…', 'history', 'CmdOrCtrl+Alt+Z'),
          separator,
          { role: 'cut' },
          { role: 'copy' },
          { role: 'paste' },
          item('Select All Nodes', 'select_all'),
          separator,
          item('Add Node…', 'add_node', 'N'),
          item('Tidy Layout', 'tidy', 'Shift+Alt+T'),
          item('Extract Nested Flow…', 'extract', 'CmdOrCtrl+Shift+E'),
        ],
      },
      {
        label: '&View',
        submenu: [
          item('All Commands', 'commands', 'CmdOrCtrl+Shift+P'),
          item('Go to Node or Flow…', 'go_to', 'CmdOrCtrl+P'),
          item('Find…', 'find', 'CmdOrCtrl+F'),
          separator,
          item('Zoom to Fit', 'fit', 'Shift+1'),
          item('Zoom to Selection', 'fit_selection', 'Shift+2'),
          item('Zoom to 100%', 'zoom_100', 'CmdOrCtrl+0'),
          item('Zoom In', 'zoom_in', 'CmdOrCtrl+Plus'),
          item('Zoom Out', 'zoom_out', 'CmdOrCtrl+-'),
          separator,
          item('Left Panel', 'toggle_left', 'CmdOrCtrl+B'),
          item('Bottom Panel', 'toggle_bottom', 'CmdOrCtrl+J'),
          item('Right Panel', 'toggle_right', 'CmdOrCtrl+Alt+B'),
          item('Hide or Show All Panels', 'toggle_panels', 'CmdOrCtrl+Alt+F'),
          item('Inbox', 'waiting'),
          separator,
          { role: 'togglefullscreen' },
          ...(app.isPackaged ? [] : [{ role: 'toggleDevTools' as const }]),
        ],
      },
      {
        label: '&Run',
        submenu: [
          item('Run Flow…', 'run', 'CmdOrCtrl+Return'),
          item('Continue', 'continue', 'F5'),
          separator,
          item('Step Over', 'step_over', 'F10'),
          item('Step Into', 'step_into', 'F11'),
          item('Step Out', 'step_out', 'Shift+F11'),
          item('Step Back', 'step_back', 'Alt+F10'),
          separator,
          item('Pause', 'pause'),
          item('Stop', 'stop', 'Shift+F5'),
        ],
      },
      { label: '&Help', role: 'help', submenu: [item('Keyboard Shortcuts', 'shortcuts'), { role: 'about' }] },
    ]),
  );
}
