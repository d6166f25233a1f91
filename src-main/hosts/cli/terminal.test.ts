import { expect, test } from 'vitest';
import { forTerminal } from './terminal.ts';

test.each([
  ['clearing the screen', 'a\x1b[2Jb', 'a\\u001b[2Jb'],
  ['a title of the window', '\x1b]0;owned\x07', '\\u001b]0;owned\\u0007'],
  ['the same in eight bits', '\x9b2J', '\\u009b2J'],
  ['hiding what follows', '\x1b[8mrm\x1b[0m', '\\u001b[8mrm\\u001b[0m'],
  ['a line written over', 'safe\rrm -rf', 'safe\\u000drm -rf'],
  ['a text turned round', '\u202etxt.exe', '\\u202etxt.exe'],
  ['our own styles and line breaks', '\x1b[1mbold\x1b[22m\n\x1b[31mred\x1b[39m', '\x1b[1mbold\x1b[22m\n\x1b[31mred\x1b[39m'],
])('%s in a terminal', (_title, text, shown) => expect(forTerminal(text)).toBe(shown));
