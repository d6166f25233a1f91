/** Wraps a pure function of a text so that the last results (at least `capacity`, at most twice as many) need not be computed again. */
export function rememberByText<T>(compute: (text: string) => T, capacity: number): (text: string) => T {
  let recent = new Map<string, T>();
  let older = new Map<string, T>();
  return (text) => {
    let result = recent.get(text) ?? older.get(text);
    if (result === undefined) result = compute(text);
    else if (recent.has(text)) return result;
    if (recent.size >= capacity) {
      older = recent;
      recent = new Map();
    }
    recent.set(text, result);
    return result;
  };
}
