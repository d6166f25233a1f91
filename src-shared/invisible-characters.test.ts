import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapeInvisible, partsByVisibility, removeInvisible, showInvisible } from './invisible-characters.ts';

test.each([
  ['a mark that turns the direction', 'invoice\u202efdp.exe', 'invoice⟨U+202E⟩fdp.exe'],
  ['a space of no width', 'pay\u200bpal', 'pay⟨U+200B⟩pal'],
  ['an escape of terminals', '\x1b[2Jgone', '⟨U+001B⟩[2Jgone'],
  ['one of eight bits', '\x9b2J', '⟨U+009B⟩2J'],
  ['what takes the line back', 'safe\rrm', 'safe⟨U+000D⟩rm'],
  ['tags', 'a\u{e0041}', 'a⟨U+E0041⟩'],
  ['a variation of nothing', 'a\ufe0f', 'a⟨U+FE0F⟩'],
  ['a letter that is a blank', '\u3164', '⟨U+3164⟩'],
  ['a line of another kind', 'a\u2028b', 'a⟨U+2028⟩b'],
  ['half of a sign', '\ud800', '⟨U+D800⟩'],
  ['nothing hidden', 'Grüße,\n\t日本 🎉 – "x"', 'Grüße,\n\t日本 🎉 – "x"'],
])('%s is shown', (_title, text, shown) => expect(showInvisible(text)).toBe(shown));

test('splits the whole text, and removes every invisible character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(
        partsByVisibility(text)
          .map((part) => part.text)
          .join(''),
      ).toBe(text);
      expect(partsByVisibility(removeInvisible(text)).every(({ name }) => name === null)).toBe(true);
      expect(JSON.parse(escapeInvisible(JSON.stringify(text)))).toBe(text);
    }),
    { seed: 5, numRuns: 50 },
  );
});
