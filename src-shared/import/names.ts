/** A state's name has no more words of a title than these. */
const mostWords = 6;

/** Gives names that are unique among those given, each made of letters, digits and `_`. */
export class Names {
  readonly #taken: Set<string>;

  constructor(taken: Iterable<string> = []) {
    this.#taken = new Set(taken);
  }

  /** A state's name: `Classify ticket` gives `ClassifyTicket`. */
  state(title: string): string {
    const words = wordsOf(title)
      .slice(0, mostWords)
      .map((word) => word.charAt(0).toUpperCase() + word.slice(1));
    return this.#unique(words.join('') || 'Step', '');
  }

  /** A field's name: `Classify ticket` gives `classify_ticket`. */
  field(title: string): string {
    return this.#unique(wordsOf(title).join('_').toLowerCase() || 'step', '_');
  }

  #unique(wanted: string, separator: string): string {
    const name = /^\d/.test(wanted) ? `_${wanted}` : wanted;
    let unique = name;
    for (let count = 2; this.#taken.has(unique); count += 1) unique = `${name}${separator}${count}`;
    this.#taken.add(unique);
    return unique;
  }
}

/** Words of Latin letters and digits, accents dropped; other scripts give none. */
function wordsOf(title: string): string[] {
  return (
    title
      .normalize('NFD')
      .replace(/\p{M}/gu, '')
      .match(/[A-Za-z0-9]+/g) ?? []
  );
}
