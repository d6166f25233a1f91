/** `1 node`, `3 nodes`: a count with its noun. */
function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** The texts of the frame around the panels: top bar, status bar, tabs. A `{name}` is an element that `TextWith` puts in. */
export const texts = {
  product: 'Pravah Studio',
  openOtherFolder: (folder: string) => `${folder}: open another folder`,
  unsaved: 'Unsaved changes',
  commandsHint: 'All commands (Ctrl+K)',
  searchCommands: 'Search commands',
  settings: 'Settings',
  settingsHint: 'Settings (Ctrl+,)',
  settingsNotRead: 'Could not read your settings',
  runNotShown: 'Could not show the requested run',

  panels: 'Panels',
  showPanel: { left: 'Left panel (Ctrl+B)', bottom: 'Bottom panel (Ctrl+J)', right: 'Right panel (Ctrl+Alt+B)' },
  closePanel: 'Close this panel',
  closePanelHint: 'Close (Escape)',
  leftPanel: 'Library and flows',
  leftWidth: 'Width of the left panel',
  library: 'Library',
  flows: 'Flows',
  conversations: 'Chats',
  outline: 'Outline',
  bottomPanel: 'Timeline and problems',
  bottomHeight: 'Height of the bottom panel',
  rightPanel: 'Inspector',
  rightWidth: 'Width of the right panel',
  inbox: 'Inbox',
  node: 'Node',
  debug: 'Debug',
  flow: 'Flow',
  chat: 'Chat',

  panel: {
    label: 'Run and problems',
    timeline: 'Timeline',
    state: 'State',
    conversation: 'Conversation',
    problems: 'Problems',
    compare: 'Compare',
    matrix: 'Matrix',
    output: 'Output',
    runs: 'Runs',
    stateMap: 'State map',
  },
  noRun: {
    title: 'No run yet',
    noFlow: 'Open a flow to run it. Each step appears here with its state.',
    ready: 'Press {run} to run this flow, or {step} to run it step by step. Each step appears here with its state.',
  },

  connecting: 'Connecting to the studio…',
  lost: 'Connection lost. Reconnecting…',
  refused: 'The studio was restarted. Open its new link from the terminal.',

  errors: (count: number) => counted(count, 'error'),
  unfinished: (count: number) => `Not finished: ${counted(count, 'problem')}`,
  warnings: (count: number) => counted(count, 'warning'),
  noProblems: 'No problems',
  nodes: (count: number) => counted(count, 'node'),
  states: (count: number) => counted(count, 'state'),
  filesChanged: (count: number) => `${counted(count, 'file')} changed`,
  trusted: 'Trusted folder',
  restricted: 'Restricted folder',
  scriptedModel: 'Scripted model',
};
