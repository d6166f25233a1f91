import { expect, test } from 'vitest';
import { shiftSpans } from './shift-spans.ts';

const file = 'inmemory://studio/body%20/nodes/0.ts';

test('spans of the file move back, at any depth; others stay', () => {
  const answer = {
    kind: 'function',
    textSpan: { start: 105, length: 3 },
    definitions: [
      { fileName: file, textSpan: { start: 110, length: 2 }, contextSpan: { start: 108, length: 6 } },
      { fileName: 'lib.es2023.d.ts', textSpan: { start: 7, length: 2 } },
    ],
    hints: [{ position: 120, text: 'hint' }],
  };
  expect(shiftSpans(answer, file, 100, 50)).toEqual({
    kind: 'function',
    textSpan: { start: 5, length: 3 },
    definitions: [
      { fileName: file, textSpan: { start: 10, length: 2 }, contextSpan: { start: 8, length: 6 } },
      { fileName: 'lib.es2023.d.ts', textSpan: { start: 7, length: 2 } },
    ],
    hints: [{ position: 20, text: 'hint' }],
  });
});

test('spans outside the visible text are dropped or cut', () => {
  const faults = [
    { start: 20, length: 5, code: 1 },
    { start: 140, length: 30, code: 2 },
    { start: 151, length: 1, code: 3 },
  ];
  expect(shiftSpans(faults, file, 100, 50)).toEqual([{ start: 40, length: 10, code: 2 }]);
  expect(shiftSpans(undefined, file, 100, 50)).toBeUndefined();
});
