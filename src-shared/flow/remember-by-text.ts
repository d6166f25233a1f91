/** Wraps a pure function of a text so that the last results (at least `capacity`, at most twice as many) need not be computed again. `means` do not count: with others, the result is the same. */
export function rememberByText<T, Means extends readonly unknown[]>(
  compute: (text: string, ...means: Means) => T,
  capacity: number,
): (text: string, ...means: Means) => T {
  let recent = new Map<string, T>();
  let older = new Map<string, T>();
  return (text, ...means) => {
    let result = recent.get(text) ?? older.get(text);
    if (result === undefined) result = compute(text, ...means);
    else if (recent.has(text)) return result;
    if (recent.size >= capacity) {
      older = recent;
      recent = new Map();
    }
    recent.set(text, result);
    return result;
  };
}
