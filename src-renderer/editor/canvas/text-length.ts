/** Whether a text may not fit a place for this many Latin characters. Characters of wide scripts count twice. */
export function isLong(text: string, most: number): boolean {
  let length = 0;
  for (const character of text) length += (character.codePointAt(0) ?? 0) < 0x2e80 ? 1 : 2;
  return length > most;
}
