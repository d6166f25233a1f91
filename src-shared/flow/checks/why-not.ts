/** Why a file could not be read, as the end of a sentence, with the fix. */
export function whyNot(reason: 'missing' | 'outside' | 'unreadable', path: string, message: string): string {
  if (reason === 'missing') return `does not exist (${path} in the workspace). Create it, or fix the name.`;
  if (reason === 'outside') return 'points outside the workspace. Use a file inside it.';
  return `cannot be read: ${message}`;
}
