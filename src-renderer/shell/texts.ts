/** Texts of what every part of the page uses. */
export const texts = {
  notCopied: 'Could not copy',
};
