import { nodeCount } from '#renderer/ui/kinds/node-count.ts';

/** The texts of actions on the shown flow: names of undo steps, and what is announced. */
export const texts = {
  flowChanged: 'The flow has changed in the meantime',
  layoutFailed: 'Could not lay out the flow',
  editTitle: 'Edit title',

  arrange: {
    alignLeft: 'Align left',
    alignCenters: 'Align centers',
    alignRight: 'Align right',
    alignTop: 'Align top',
    alignMiddles: 'Align middles',
    alignBottom: 'Align bottom',
    distribute: (axis: string) => `Distribute ${axis}`,
    selectTwo: 'Select at least two nodes to align them',
    selectThree: 'Select at least three nodes to distribute them',
    tidyLayout: 'Tidy the layout',
    direction: {
      automatic: 'Lay out automatically',
      right: 'Lay out to the right',
      down: 'Lay out downwards',
      folded: 'Lay out in rows',
    },
    tidySelection: 'Tidy the selection',
  },

  clipboard: {
    cut: 'Cut',
    copied: 'Copied',
    selectFirst: 'Select nodes to copy them',
    notCopied: 'Could not copy',
    cannotWrite: (key: string) => `The browser does not allow writing to the clipboard here. Press ${key} on the canvas.`,
    notPasted: 'Could not paste',
    cannotRead: 'The browser does not allow reading the clipboard here. Press Ctrl+V on the canvas.',
  },

  extract: {
    impossible: 'The selection cannot become a nested flow',
    selectAgain: 'Select the nodes again.',
    fileMade: (path: string) => `${path} was created with the nodes. In this flow, nothing was changed: the nodes keep their positions.`,
    undoLabel: (path: string, nodes: number) => `Make ${path} of ${nodeCount(nodes)}`,
    done: (path: string) => `${path} is now a separate flow. Press Enter to open it. Undo restores the nodes here and keeps the file.`,
    failed: 'Could not create the nested flow',
  },

  unpack: {
    nothing: 'Nothing was unpacked',
    select: 'Select a node that runs a nested flow of this folder.',
    unreadable: (path: string) => `${path} cannot be read. Fix it first.`,
    changed: 'The flow has changed in the meantime.',
    failed: (path: string) => `Could not unpack ${path}`,
  },

  nested: { select: 'Select a node that runs a nested flow' },

  follow: {
    on: 'The canvas follows the run.',
    off: 'The canvas no longer follows the run.',
  },

  commands: {
    pin: 'Pin or unpin the output of the selected node',
    pinShort: 'Pin this output',
    disable: 'Disable or enable the selected node',
    disableShort: 'Disable or enable',
    runAlone: 'Run the selected node alone',
    runAloneShort: 'Run this node alone…',
    switchSupplied: 'Turn supplied outputs on or off',
    openInspector: 'Show the selected node in the inspector',
    openInspectorShort: 'Show in the inspector',
    addAtPort: 'Add a node after the selected one…',
    addAtPortShort: 'Add a node here…',
    addOnWire: 'Add a node into the selected wire…',
    addOnWireShort: 'Add a node into it…',
    showValue: 'Show the values of waiting states',
    showValueShort: 'Show its value',
    watchState: 'Watch the selected state',
    watchStateShort: 'Add to watches',
    addNote: 'Add a note',
    editNote: 'Edit the selected note',
    editNoteShort: 'Edit',
    colourNote: 'Give the selected note the next color',
    colourNoteShort: 'Next color',
    group: 'Group the selected nodes',
    groupShort: 'Group',
    ungroup: 'Dissolve the group of the selection',
    ungroupShort: 'Ungroup',
    fold: 'Fold or unfold the group of the selection',
    foldShort: 'Fold or unfold',
    before: 'Select all that leads to the selection',
    after: 'Select all that follows the selection',
    delete: 'Delete the selection',
    deleteShort: 'Delete',
  },

  note: {
    add: 'Add a note',
    change: 'Change a note',
    move: 'Move a note',
    resize: 'Resize a note',
    remove: 'Delete a note',
  },

  group: {
    untitled: 'Group',
    make: 'Group nodes',
    change: 'Change a group',
    dissolve: 'Ungroup',
    fold: 'Fold a group',
    unfold: 'Unfold a group',
    move: 'Move a group',
  },

  why: {
    noGroup: 'Select a node of a group first.',
    noFlow: 'Open a flow first.',
    readOnly: 'This flow is read-only here.',
    unreadable: 'The text of this flow cannot be read. Fix it first.',
    selectNode: 'Select a node first.',
    selectNote: 'Select a note first.',
    selectNodes: (count: number) => (count === 1 ? 'Select a node first.' : `Select at least ${count} nodes.`),
    selectNodeOrWire: 'Select a node or a wire first.',
    selectWire: 'Select a wire first.',
    selectState: 'Select a node or a wire first.',
    notNested: 'This node runs no nested flow.',
    noRun: 'No run is shown.',
    notPaused: 'This needs a paused run.',
    onlyTab: 'No other flow is open.',
    watched: 'This state is watched already.',
  },

  menu: {
    canvas: 'Canvas',
    node: (title: string) => `Node ${title}`,
    selection: (count: number) => `${count} selected nodes`,
    wire: (state: string) => `Wire ${state}`,
    port: (state: string) => `Port ${state}`,
    token: (state: string) => `Token ${state}`,
    tab: (path: string) => `Tab ${path}`,
    group: (title: string) => `Group ${title}`,
    note: 'Note',
    flow: (path: string) => `Flow ${path}`,
  },

  map: { shown: 'The map is shown.', hidden: 'The map is hidden.' },

  rename: {
    select: 'Select a node or a wire',
  },
};
