const bodyTexts = new WeakMap<object, string>();

/** Remembers the text of a body that was parsed as JSON, for the very object that a tool returns. */
export function rememberBodyText(output: object, text: string): void {
  bodyTexts.set(output, text);
}

/** The text of a body that was parsed as JSON, for the very object that the tool returned. */
export function bodyTextOf(output: object): string | undefined {
  return bodyTexts.get(output);
}
