/** Whether `uid` is the user of this process. True on systems without owners (Windows). */
export function isOurs({ uid }: { readonly uid: number }): boolean {
  return process.geteuid === undefined || uid === process.geteuid();
}
