/** Calls `act` for each item, at most `limit` at once, in order. Rejects with the first failure after all calls in progress have ended. */
export async function atOnce<Item>(items: readonly Item[], limit: number, act: (item: Item) => Promise<void>): Promise<void> {
  const left = [...items];
  let failed: { readonly error: unknown } | null = null;
  const lane = async () => {
    for (let item = left.shift(); item !== undefined && !failed; item = left.shift()) {
      await act(item).catch((error: unknown) => {
        failed ??= { error };
      });
    }
  };
  await Promise.all(Array.from({ length: limit }, lane));
  if (failed) throw (failed as { readonly error: unknown }).error;
}
