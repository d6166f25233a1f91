const narrow = 'Extend or shrink the selection so that they are inside it.';

/** The texts of edits: names of undo steps and reasons why an edit is not possible. */
export const texts = {
  addNode: (kind: string) => `Add ${kind.toLowerCase()}`,
  addNestedFlow: 'Add nested flow',
  chooseFlow: 'Choose the flow that this node runs.',
  deleteNodes: (count: number) => (count === 1 ? 'Delete node' : `Delete ${count} nodes`),
  nothingSelected: 'Nothing is selected.',
  paste: (nodes: number, notes: number) => {
    if (notes === 0) return nodes === 1 ? 'Paste node' : `Paste ${nodes} nodes`;
    if (nodes === 0) return notes === 1 ? 'Paste note' : `Paste ${notes} notes`;
    return `Paste ${nodes} ${nodes === 1 ? 'node' : 'nodes'} and ${notes} ${notes === 1 ? 'note' : 'notes'}`;
  },
  nothingToPaste: 'There are no nodes or notes on the clipboard. Copy some on a canvas first.',
  changeOnDisk: 'Change on disk',

  insert: {
    label: (state: string) => `Insert into ${state}`,
    unfit: (from: string, to: string, reason: string) => `${from} does not fit ${to}: ${reason} Change one of the two schemas.`,
    nestedSource: (state: string) => `${state} is the output of a nested flow, which keeps its name. Disconnect it, then connect the node.`,
    nestedTarget: (state: string) =>
      `${state} leads into a nested flow, whose input keeps its name. Add the node beside the wire and connect it.`,
    nestedNode: (state: string, input: string) =>
      `The flow takes ${input === '' ? 'another state' : input}, and ${state} cannot be renamed to it. Add the node beside the wire and connect it.`,
  },

  connect: {
    label: (state: string) => `Connect ${state}`,
    disconnect: (state: string) => `Disconnect ${state}`,
    nodeGone: 'One of the two nodes no longer exists.',
    nestedStates: 'The states of a nested flow are named in its own file. Rename the other end instead.',
    alreadyConnected: (state: string) => `${state} is already connected.`,
    ownState: 'A node cannot produce the state that it consumes.',
    sameBranch: (state: string) => `Both branches would be ${state}. A branch node needs two different states.`,
    sameOutput: (state: string) => `Two outputs would be ${state}. A fork needs different states.`,
    differentTypes: (output: string, outputType: string, input: string, inputType: string) =>
      `${output} is ${withArticle(outputType)}, but ${input} is ${withArticle(inputType)}.`,
  },

  extract: {
    nothingSelected: 'Select the nodes for the nested flow.',
    unknownStates: (node: string) => `The input and output of ${node} are unknown. Fix that flow first.`,
    noEntry: 'No state leads into the selection. Select the first node, too.',
    manyEntries: (states: readonly string[]) =>
      `${states.length} states lead into the selection (${states.join(', ')}), but a nested flow has one input. ${narrow}`,
    noExit: 'No state leads out of the selection. Select the last node, too.',
    manyExits: (states: readonly string[]) =>
      `${states.length} states lead out of the selection (${states.join(', ')}), but a nested flow has one output. ${narrow}`,
    outputConsumed: (state: string) =>
      `${state} leads out of the selection and is also consumed in it, so it cannot be the output of a nested flow.`,
  },

  unpack: {
    label: (path: string) => `Unpack ${path}`,
    notNested: 'Select a nested flow to unpack it. A For each node runs its flow many times and cannot be unpacked.',
    unreadable: (path: string) => `Some nodes of ${path} cannot be read. Fix it first.`,
    differentSchemas: (state: string, path: string) => `The schema ${state} here differs from the one in ${path}. Make them equal first.`,
  },

  nesting: {
    runsNoFlow: 'This node does not run a flow.',
    unreadable: (path: string) => `The flow ${path} cannot be read. Choose another file first.`,
    forEachItem: 'Run for each item',
    once: 'Run once',
  },

  rename: {
    label: (from: string, to: string) => `Rename ${from} to ${to}`,
    sameName: (name: string) => `The state is already called ${name}.`,
    taken: (name: string) => `Another state is already called ${name}. To connect the two, draw a wire.`,
    empty: 'A state needs a name.',
    invalid: 'Use letters, digits and _. The first character cannot be a digit.',
  },
};

/** `an object`, `a string`. */
function withArticle(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}
