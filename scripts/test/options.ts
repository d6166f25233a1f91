/** What the words after `npm test --` ask for. */
export interface TestOptions {
  /** Names of the parts to run; empty for all. */
  readonly names: readonly string[];
  /** Whether every core is busy during the tests. */
  readonly stress: boolean;
}

/** Reads the words after `npm test --`. Throws an error of one line for a word that means nothing. */
export function readOptions(words: readonly string[], known: readonly string[]): TestOptions {
  const names = words.filter((word) => word !== '--stress');
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`There is no part "${unknown}". Parts: ${known.join(', ')}. Option: --stress.`);
  return { names, stress: names.length < words.length };
}
