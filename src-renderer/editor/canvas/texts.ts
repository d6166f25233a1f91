import { nodeCount } from '#renderer/ui/kinds/node-count.ts';

/** The texts of the canvas. */
export const texts = {
  cancel: 'Cancel',
  flow: 'Flow',
  noNodes: ['This flow has no nodes yet. Drag one from the Library, double-click here, or press ', 'N', '.'] as const,
  moveNodes: (count: number) => (count === 1 ? 'Move node' : `Move ${count} nodes`),
  moveWithKeyboard: 'Move with the keyboard',
  cannotInsert: 'This node cannot be inserted here',
  cannotConnect: 'These ports cannot be connected',
  noPort: (node: string) => `${node} has no port for this wire.`,
  nodeGone: 'One of the two nodes no longer exists.',
  alreadyConnected: (state: string) => `${state} is already connected.`,
  map: 'Map of the flow',

  arrange: {
    selectedNodes: 'Selected nodes',
    selected: (count: number) => `${count} selected`,
  },

  tabs: {
    openFlows: 'Open flows',
    unsaved: 'Unsaved changes',
    close: (name: string) => `Close ${name}`,
    closeHint: 'Close. Unsaved edits are kept.',
    nestedIn: 'Nested in',
    back: 'Back to the outer flow',
    backHint: 'Back to the outer flow (Alt+↑)',
    pastInside: (title: string, item: string | null) => `This step is inside “${title}”${item === null ? '' : `, ${item}`}`,
    showInside: 'Show',
    previousItem: 'Previous item',
    nextItem: 'Next item',
    item: (number: number, of: number | null) => (of === null ? `item ${number}` : `item ${number} of ${of}`),
  },

  codeFlow: {
    needsTrust: 'Trust this folder to open this flow',
    needsTrustHint:
      'This is a flow in code, and opening it runs that code on this machine. Trust the folder only if you know who wrote it.',
    notLoaded: 'This flow cannot be loaded',
    empty: 'It has no nodes.',
    trust: 'Trust and open',
  },

  workflow: {
    label: 'PyFlow workflow',
    readOnly: (path: string) => `Drawn from ${path}, which is read-only here. Import it to get a flow that you can edit.`,
    import: 'Import as a flow',
    changedLabel: 'The workflow has changed',
    changed: (source: string) => `${source} has changed since this flow was imported.`,
    update: 'Update',
    conflict: (node: string) => `“${node}” was edited here and in the workflow`,
    conflictHint: (more: number) => `Your version, and what the workflow has now${more === 0 ? '' : ` (${more} more to decide)`}`,
    keepMine: 'Keep mine',
    takeTheirs: 'Use the workflow’s',
    take: (node: string) => `Use the workflow’s “${node}”`,
    notDrawn: 'This workflow has errors',
    problemAt: (line: number, message: string) => `Line ${line}: ${message}`,
  },

  region: {
    parallel: (name: string) => `${name}: in parallel`,
    loop: (name: string) => `${name}: loop`,
    wave: (name: string) => `${name.replaceAll('_', ' ')}: in parallel`,
  },

  disk: {
    changed: 'The file has changed on disk',
    deleted: 'This file is no longer on disk.',
    changedByOther: 'Another program changed this file on disk.',
    loadedStays: 'The loaded version stays open.',
    editsSafe: 'Your edits are safe; nothing was overwritten.',
    showDifference: 'Show changes',
    compare: (path: string) => `${path}: on disk and here`,
    restored: 'Unsaved changes restored',
    restoredFrom: (time: string) => `Restored unsaved changes from ${time}.`,
    discard: 'Discard',
    useFile: 'Use the file on disk',
    keepMine: 'Keep mine and save',
  },

  otherVersion: {
    title: 'Another version of this flow',
    bothKept: 'Both versions are kept.',
    more: (count: number) => `${count} more to decide.`,
    compare: 'Compare',
    compareTitle: (path: string) => `${path}: this version and the other`,
    compareSummary: 'the other version compared with this one',
    notMerged: (time: string) => `An edit (${time}) could not be merged.`,
    otherProgram: (time: string) => `Another program has unsaved edits (${time}).`,
    useOther: 'Use the other version',
    keepThis: 'Keep this version',
    keepBoth: 'Keep both',
    keepBothHint: 'Save the other version as a separate flow',
  },

  unreadable: { title: 'The text of this flow cannot be read', fix: 'Fix the text' },

  extract: {
    title: 'Make a nested flow',
    command: 'Make a nested flow of the selection…',
    suggestedName: (input: string, output: string) => `${input} to ${output.toLowerCase()}`,
    name: 'Name',
    hint: (nodes: number, input: string, output: string) =>
      `Moves ${nodeCount(nodes)} into a new file with this name. The new flow takes ${input} and returns ${output}; a node that runs it replaces the selection.`,
    make: 'Create',
  },

  follow: {
    label: 'Follow run',
    hint: 'Follow run: keep the current node of a run in view (Shift+F)',
    pausedHint: 'Follow run continues with the next step, since you moved the canvas (Shift+F turns it off)',
  },

  node: {
    title: 'Node title',
    flowInput: 'Flow input',
    flowOutput: 'Flow output',
    isFlowInput: (state: string) => `${state}: input of the flow`,
    isFlowOutput: (state: string) => `${state}: output of the flow`,
    notProduced: (state: string) => `${state}: nothing produces it yet`,
    notConsumed: (state: string) => `${state}: nothing consumes it yet`,
    neverConsumed: (state: string) => `${state} is never consumed`,
    waits: (state: string) => `${state} waits`,
    waitsWith: (state: string, preview: string) => `${state} waits: ${preview}`,
  },

  verdict: {
    show: 'Show how',
    unfinished: (problems: number) => `Not finished: ${problems === 1 ? '1 problem' : `${problems} problems`}`,
    errors: (errors: number) => `Cannot run: ${errors === 1 ? '1 error' : `${errors} errors`}`,
    sound: 'Always completes (verified)',
    unsound: 'Can get stuck',
    valid: 'Valid: all checks pass',
  },

  quickAdd: {
    title: 'Add a node',
    consumes: 'Consumes ',
    produces: 'Produces ',
    noResults: 'No results',
    placeholder: 'Add a node, a flow or a tool',
    search: 'Search nodes and tools',
    nodesAndTools: 'Nodes and tools',
    howToRun: (file: string) => `How does this flow run? ${file}`,
    onceOrEach: 'Once or for each item',
    howItRuns: 'How the flow runs',
    waysToRun: 'Ways to run it',
    chooseFlow: (kind: string) => `${kind}: choose the flow to run`,
    searchFlows: 'Search flows',
    flows: 'Flows',
    newFlow: 'New flow…',
    newFlowNamed: (name: string) => `New flow “${name}”…`,
    newFlowHint: 'Creates a file in this folder',
    port: (state: string, node: string) => `${state} of ${node}`,
    connect: 'Connect',
    missing: (field: string) => `${field} may be missing`,
    into: 'Into the wire ',
    choosePort: 'Connect to which port?',
    searchPorts: 'Search ports',
    ports: 'Ports',
    runOnce: 'Run once',
    forEachItem: 'For each item',
  },

  rename: {
    title: (state: string) => `Rename ${state}`,
    name: 'State name',
    hint: 'Renames it everywhere in this flow: nodes, schemas, input and output. Code is not changed.',
    rename: 'Rename',
  },

  groups: {
    nodes: (count: number) => nodeCount(count),
    title: 'Group title',
    hint: 'Drag to move the group. Double-click to rename it.',
    fold: (title: string) => `Fold ${title}`,
    colour: (colour: string) => `Color: ${colour}. Click for the next one.`,
  },

  notes: {
    label: (text: string) => `Note: ${text}`,
    text: 'Text of the note',
    placeholder: 'Markdown: **bold**, *italic*, `code`, - list',
    remove: 'Delete this note',
    resize: 'Resize this note',
  },

  zoom: {
    label: 'Zoom',
    out: 'Zoom out',
    outHint: 'Zoom out (Ctrl+-)',
    in: 'Zoom in',
    inHint: 'Zoom in (Ctrl++)',
    resetHint: 'Zoom to 100 % (Ctrl+0)',
    fit: 'Fit',
    fitHint: 'Show the whole flow (Shift+1)',
  },
};
