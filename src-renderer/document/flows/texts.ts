/** Notices about open flows, and what a tried tool is called on screen. */
export const texts = {
  triedTool: (tool: string) => `Try ${tool}`,
  notOpened: (path: string) => `${path} could not be opened`,

  code: 'This flow is code',
  editCode: (path: string) => `Edit ${path} in your code editor; the studio reloads it. Here you can move its nodes.`,
  workflow: 'This is a PyFlow workflow',
  editWorkflow: (path: string) => `Edit ${path} in your code editor; the studio draws it again. To edit it here, import it as a flow.`,
  refused: 'Can’t make this change',
  failed: (change: string) => `${change} failed`,
  movedEnd: (change: string, output: string) => `${change}. The flow now ends in ${output}.`,
  move: 'Move',

  undo: {
    nothing: { undo: 'Nothing to undo', redo: 'Nothing to redo' },
    done: { undo: (step: string) => `Undone: ${step}`, redo: (step: string) => `Redone: ${step}` },
    refused: { undo: (step: string) => `“${step}” can’t be undone`, redo: (step: string) => `“${step}” can’t be redone` },
    removed: 'Another window or program has changed the same lines since. Edit them by hand; the step was removed from the undo history.',
    notPast: (step: string) => `Can’t go past “${step}”`,
    unchanged: 'Another window or program has changed the same lines since. The flow was not changed.',
    backTo: (step: string) => `Back to: ${step}`,
    backToStart: 'Back to the flow as it was opened',
  },
};
