/** Why a file could not be read, as the end of a sentence, with the mend. */
export function whyNot(reason: 'missing' | 'outside' | 'unreadable', path: string, message: string): string {
  if (reason === 'missing') return `is not there (${path} in the workspace). Write it, or mend the name.`;
  if (reason === 'outside') return 'leads out of the workspace. Use a file inside it.';
  return `cannot be read: ${message}`;
}
