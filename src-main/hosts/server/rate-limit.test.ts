import { expect, it } from 'vitest';
import { RateLimit } from './rate-limit.ts';

it('a token makes two seconds’ worth of requests at once, and then as many as the rate allows', () => {
  let now = 0;
  const limit = new RateLimit(10, () => now);
  for (let count = 0; count < 20; count += 1) limit.enter('a')();
  expect(() => limit.enter('a')).toThrow('10 requests a second');
  limit.enter('b')();
  now += 100;
  limit.enter('a')();
  expect(() => limit.enter('a')).toThrow('Wait 1 s');
});

it('a token has 120 requests in progress at most, and leaving one twice counts once', () => {
  const limit = new RateLimit(1000, () => 0);
  const leaves = Array.from({ length: 120 }, () => limit.enter('a'));
  expect(() => limit.enter('a')).toThrow('120 requests in progress');
  leaves[0]?.();
  leaves[0]?.();
  limit.enter('a');
  expect(() => limit.enter('a')).toThrow('120 requests in progress');
});
