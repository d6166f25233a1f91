import { expect, it } from 'vitest';
import { rfcPath } from './jsonpath-ng.ts';

it.each([
  ['$.a.b', '$.a.b'],
  ['a.b[0]', '$.a.b[0]'],
  ['[0].a', '$[0].a'],
  ['i[*].p', '$.i[*].p'],
  ['$..p', '$..p'],
  ["$.a['c d']", "$.a['c d']"],
  ['$[a,b]', '$["a","b"]'],
  ['$.a.[0]', '$.a[0]'],
  ['$.a."b c"', '$.a["b c"]'],
  ['$.a,b', '$["a","b"]'],
  ['$..[0]', '$..[0]'],
  ['$', '$'],
])('writes %s as %s', (given, path) => {
  expect(rfcPath(given)).toEqual({ path });
});

it.each(['$.a.`parent`', '$.a | $.b', '$.a where $.b', ''])('refuses %j, which RFC 9535 does not have', (given) => {
  expect(rfcPath(given)).toHaveProperty('error');
});
