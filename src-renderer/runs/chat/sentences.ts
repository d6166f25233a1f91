/** Where the last finished sentence of a text ends that begins at `from`; `from` if none is finished. A sentence is finished when something follows it. */
export function sentencesAfter(text: string, from: number): number {
  let end = from;
  for (const { index, 0: mark } of text.slice(from).matchAll(/[.!?…:]+["'”’)\]]*(?=\s)|\n+/g)) end = from + index + mark.length;
  return end;
}
