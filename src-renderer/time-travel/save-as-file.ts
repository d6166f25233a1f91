/** Hands a text over as a file, as a download does: the browser or desktop asks where, or puts it among the downloads. */
export function saveAsFile(name: string, content: string): void {
  const url = URL.createObjectURL(new Blob([content], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has taken its own hold of the content by the next turn.
  setTimeout(() => URL.revokeObjectURL(url));
}
