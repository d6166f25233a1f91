import { expect, it, vi } from 'vitest';
import { onAbort } from './on-abort.ts';

it('calls back whoever still waits, by way of one listener', () => {
  const abort = new AbortController();
  const listened = vi.spyOn(abort.signal, 'addEventListener');
  const called: number[] = [];
  const forget = [1, 2, 3].map((number) => onAbort(abort.signal, () => called.push(number)));
  forget[1]?.();
  abort.abort();
  expect(called).toEqual([1, 3]);
  expect(listened).toHaveBeenCalledTimes(1);
});

it('calls back at once where the signal is aborted already', () => {
  const callback = vi.fn();
  onAbort(AbortSignal.abort(), callback)();
  expect(callback).toHaveBeenCalledTimes(1);
});
