/** The texts of the undo history. */
export const texts = {
  title: 'Undo history',
  noFlow: 'No flow is open.',
  hint: 'Choose a step to see the flow as it was after it. Editing from here discards later steps.',
  steps: 'Steps',
  opened: 'As opened',
};
