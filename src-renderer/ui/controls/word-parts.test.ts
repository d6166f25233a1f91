import { expect, it } from 'vitest';
import { wordParts } from './word-parts.ts';

it('breaks identifiers between their words', () => {
  expect(wordParts('normalizeCustomerAddress')).toEqual(['normalize', 'Customer', 'Address']);
  expect(wordParts('parse_HTTPServer2Response')).toEqual(['parse_', 'HTTP', 'Server2', 'Response']);
  expect(wordParts('src/tools/read-file.ts')).toEqual(['src/', 'tools/', 'read-', 'file.', 'ts']);
});

it('leaves words and signs whole', () => {
  expect(wordParts('Internationalization')).toEqual(['Internationalization']);
  expect(wordParts('Write the lists … and -- wait_')).toEqual(['Write the lists … and -- wait_']);
  expect(wordParts('ÄrgerÜber')).toEqual(['Ärger', 'Über']);
  expect(wordParts('')).toEqual(['']);
});
