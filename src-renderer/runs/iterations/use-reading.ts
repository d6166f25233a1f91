import { useEffect, useRef, useState } from 'react';
import { failureOf } from '#renderer/api/failure.ts';
import type { TransferableError } from '#shared/run/error.ts';

/** The last answer of a request, with the input that it belongs to. */
export type Reading<Input, Output> = { readonly input: Input } & (
  | { readonly output: Output; readonly failure: null }
  | { readonly output: null; readonly failure: TransferableError }
);

/**
 * Reads again whenever the input's JSON or `version` changes; returns the last answer, null before the first. One request is sent at a time, and of
 * those that wait only the last.
 */
export function useReading<Input, Output>(
  input: Input,
  version: string,
  read: (input: Input) => Promise<Output>,
): Reading<Input, Output> | null {
  const [answer, setAnswer] = useState<Reading<Input, Output> | null>(null);
  const wanted = useRef<Input | null>(null);
  const reading = useRef(false);
  const request = useRef(read);
  request.current = read;
  const text = JSON.stringify(input);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the input is compared by its JSON, and a new version is read again
  useEffect(() => {
    wanted.current = input;
    if (reading.current) return;
    reading.current = true;
    void (async () => {
      for (let next = wanted.current; next !== null; next = wanted.current) {
        wanted.current = null;
        try {
          setAnswer({ input: next, output: await request.current(next), failure: null });
        } catch (thrown) {
          setAnswer({ input: next, output: null, failure: failureOf(thrown) });
        }
      }
      reading.current = false;
    })();
  }, [text, version]);

  return answer;
}
