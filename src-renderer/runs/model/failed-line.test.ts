import { expect, it } from 'vitest';
import type { TransferableError } from '#shared/run/error.ts';
import { failedLine, shortFailure } from './failed-line.ts';

const failure = (message: string, stack?: string) => ({ message, details: stack === undefined ? {} : { stack } }) as TransferableError;

it('finds the line of the body in the stack of a failure', () => {
  const stack = '    at add (body.js:4:26)\n    at <anonymous> (body.js:9:3)\n    at <anonymous> (pravah.js:235:49)\n';
  const error = failure('The body of A failed: TypeError: no lines.', stack);
  expect(failedLine(error)).toBe(4);
  expect(shortFailure(error)).toBe('Line 4: TypeError: no lines.');
});

it('keeps the message of a failure without a line', () => {
  expect(failedLine(failure('The model cannot be reached.'))).toBeNull();
  expect(failedLine(failure('x', '    at <anonymous> (pravah.js:235:49)\n'))).toBeNull();
  expect(shortFailure(failure('The model cannot be reached.'))).toBe('The model cannot be reached.');
});
