/** Saves a text as a download: the browser or desktop asks where, or puts it among the downloads. */
export function saveAsFile(name: string, content: string): void {
  const url = URL.createObjectURL(new Blob([content], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // By the next turn the download holds the content itself.
  setTimeout(() => URL.revokeObjectURL(url));
}
