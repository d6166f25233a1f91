/** A phrase that reads as translated, with what to write instead. */
export interface Phrase {
  readonly name: string;
  readonly pattern: RegExp;
  readonly instead: string;
}

/** Phrases that must not come back. Add one when it does. */
export const phrases: readonly Phrase[] = [
  { name: 'anew', pattern: /\banew\b/i, instead: 'again' },
  { name: 'to be had', pattern: /\bto be had\b/i, instead: 'available' },
  // “if there is none” is ordinary English; “its schema is none” is not.
  { name: 'is none', pattern: /(?<!\bthere )\b(?:is|are) none\b/i, instead: 'is not a valid …, is missing' },
  { name: 'mend', pattern: /\bmend(?:s|ed|ing)?\b/i, instead: 'fix' },
  { name: 'no more', pattern: /\bno more(?=[.…]?(?:['"`’]|<\/))/i, instead: 'no longer, or a verb such as “revoke”' },
  { name: 'nobody', pattern: /\bnobody\b/i, instead: 'no one, or the actor' },
  { name: 'somebody', pattern: /\bsomebody\b/i, instead: 'the user, another process, …' },
  { name: 'so many', pattern: /\bso many\b/i, instead: 'the number, or N' },
  { name: 'word for word', pattern: /\bword for word\b/i, instead: 'exactly, verbatim' },
  { name: 'comes to nothing', pattern: /\bcomes to nothing\b/i, instead: 'has no effect, fails' },
  { name: 'is through', pattern: /\b(?:is|are) through(?=[.,;:!?'"`)]|$)/i, instead: 'has finished' },
];

/** Files that may contain a phrase, and why. */
export const exceptions: readonly { readonly file: string; readonly phrase: string; readonly reason: string }[] = [
  { file: 'scripts/checks/phrases.ts', phrase: '*', reason: 'lists the phrases' },
  { file: 'scripts/checks/phrases.test.ts', phrase: '*', reason: 'plants the phrases' },
];

/** The phrases in a file's text, as `LINE: PHRASE (INSTEAD)`. */
export function phrasesIn(file: string, text: string): readonly string[] {
  const allowed = exceptions.filter((exception) => exception.file === file).map(({ phrase }) => phrase);
  if (allowed.includes('*')) return [];
  const checked = phrases.filter(({ name }) => !allowed.includes(name));
  return text
    .split('\n')
    .flatMap((line, index) =>
      checked.filter(({ pattern }) => pattern.test(line)).map(({ name, instead }) => `${file}:${index + 1}: “${name}”; write ${instead}`),
    );
}
