import { expect, test } from 'vitest';
import { readProvisioned } from './provision-beside.ts';

test.each([
  ['its path', 'git: /usr/bin/git\n', { path: '/usr/bin/git' }],
  ['why it is not here', 'git: not here: no network\n', { reason: 'no network' }],
  ['nothing', '', { reason: 'bringing it was cut off' }],
])('of a program that said %s, that is what is known', (_title, output, expected) => {
  expect(readProvisioned('git', output)).toEqual(expected);
});
