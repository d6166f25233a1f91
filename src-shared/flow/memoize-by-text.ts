/** Memoizes a pure function of a text. Caches between `capacity` and twice as many results. `dependencies` must not affect the result, so they are not part of the key. */
export function memoizeByText<T, Dependencies extends readonly unknown[]>(
  compute: (text: string, ...dependencies: Dependencies) => T,
  capacity: number,
): (text: string, ...dependencies: Dependencies) => T {
  let recent = new Map<string, T>();
  let older = new Map<string, T>();
  return (text, ...dependencies) => {
    let result = recent.get(text) ?? older.get(text);
    if (result === undefined) result = compute(text, ...dependencies);
    else if (recent.has(text)) return result;
    if (recent.size >= capacity) {
      older = recent;
      recent = new Map();
    }
    recent.set(text, result);
    return result;
  };
}
