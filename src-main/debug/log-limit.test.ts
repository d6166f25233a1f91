import { expect, test } from 'vitest';
import { LogLimit } from './log-limit.ts';

test('passes 1,000 lines in a second, then reports how many were left out', () => {
  const texts: string[] = [];
  let now = 0;
  const limit = new LogLimit(
    ({ text }) => texts.push(text),
    () => now,
  );
  const log = (count: number) => {
    for (let line = 0; line < count; line += 1) limit.log({ breakpoint: 'b', node: 'A', text: 'x' });
  };
  log(1500);
  expect(texts).toHaveLength(1000);
  now = 1000;
  log(1001);
  expect(texts[1000]).toBe('500 more log lines were left out in one second.');
  expect(texts).toHaveLength(2001);
  limit.flush();
  expect(texts.at(-1)).toBe('1 more log line was left out in one second.');
  limit.flush();
  expect(texts).toHaveLength(2002);
});
