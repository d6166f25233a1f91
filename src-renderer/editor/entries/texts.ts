/** What entries that are no kind of node are called on screen. */
export const texts = {
  code: 'Code',
  codeHint: 'A step that runs JavaScript',
  expression: 'Expression',
  expressionHint: 'A step that computes its result from the fields',
};
