/** Two streams as one; ends with the first. */
export async function* merged<Item>(first: AsyncGenerator<Item>, second: AsyncGenerator<Item>): AsyncGenerator<Item> {
  const next = (stream: AsyncGenerator<Item>) => stream.next().then((result) => ({ stream, result }));
  const waiting = new Map([first, second].map((stream) => [stream, next(stream)]));
  try {
    for (;;) {
      const { stream, result } = await Promise.race(waiting.values());
      if (result.done) {
        if (stream === first) return;
        waiting.delete(stream);
      } else {
        waiting.set(stream, next(stream));
        yield result.value;
      }
    }
  } finally {
    for (const stream of waiting.keys()) void stream.return(undefined);
  }
}
