/** Whether what is described by `uid` belongs to the user of this process. True where the system knows no owners (Windows). */
export function isOurs({ uid }: { readonly uid: number }): boolean {
  return process.geteuid === undefined || uid === process.geteuid();
}
