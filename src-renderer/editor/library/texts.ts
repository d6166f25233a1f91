/** The texts of the library, the list of flows and the outline. */
export const texts = {
  library: {
    placeholder: 'Search nodes and tools',
    search: 'Search nodes, flows and tools',
    nodes: 'Nodes',
    flowsIn: (folder: string) => `Flows in ${folder}`,
    flowHint: (path: string) => `${path}: click to open, or drag onto the canvas to run it once or for each item`,
    tools: 'Tools',
    browse: 'Browse and try…',
    noResults: (query: string) => `No results for “${query}”. Try part of a name.`,
    entryHint: (summary: string) => `${summary}: drag onto the canvas, or press Enter`,
    needsApproval: 'needs approval',
  },

  flows: {
    noFolder: 'No folder is open',
    openFolder: 'Open a folder to see its flows.',
    newFlow: 'New flow',
    none: 'No flows yet',
    noneHint: ['This folder has no file that ends in ', '.flow.yaml', '. Create one with New flow.'] as const,
    needsTrust: 'needs trust',
    workflow: 'PyFlow',
    import: 'Import as a flow',
    unsaved: 'Unsaved changes',
    more: (path: string) => `More for ${path}`,
    open: 'Open',
    rename: 'Rename…',
    useElsewhere: 'Use this flow in another folder…',
    remove: 'Delete…',
  },

  file: {
    titles: { create: 'New flow', rename: 'Rename flow', remove: 'Delete flow' },
    actions: { create: 'Create', rename: 'Rename', remove: 'Delete' },
    removeHint: (path: string) => `Moves ${path} and its layout to the trash. Flows that nest it will report it as missing.`,
    name: 'Name',
    nameHint: 'Becomes the file name, with the ending .flow.yaml.',
    path: 'Path in this folder',
    cancel: 'Cancel',
  },

  outline: {
    drawings: 'Groups and notes',
    label: 'Outline of the flow',
    noFlow: 'Open a flow to see its outline.',
    noNodes: 'This flow has no nodes yet. Add one from the Library, or press N on the canvas.',
    produces: (state: string, then: string) => `produces ${state}, ${then}`,
    flowOutput: 'output of the flow',
    consumedBy: (node: string) => `consumed by ${node}`,
    notConsumed: 'not consumed',
  },
};
