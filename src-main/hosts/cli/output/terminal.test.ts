import { expect, test } from 'vitest';
import { forTerminal, type Output, printLine, printNote, printPrompt, printTo } from './terminal.ts';

test.each([
  ['clearing the screen', 'a\x1b[2Jb', 'a\\u001b[2Jb'],
  ['a title of the window', '\x1b]0;owned\x07', '\\u001b]0;owned\\u0007'],
  ['the same in eight bits', '\x9b2J', '\\u009b2J'],
  ['hiding what follows', '\x1b[8mrm\x1b[0m', '\\u001b[8mrm\\u001b[0m'],
  ['a line written over', 'safe\rrm -rf', 'safe\\u000drm -rf'],
  ['a text turned round', '\u202etxt.exe', '\\u202etxt.exe'],
  ['our own styles and line breaks', '\x1b[1mbold\x1b[22m\n\x1b[31mred\x1b[39m', '\x1b[1mbold\x1b[22m\n\x1b[31mred\x1b[39m'],
])('%s in a terminal', (_title, text, shown) => expect(forTerminal(text)).toBe(shown));

function piped(print: () => void, isTerminal = false): string {
  let written = '';
  const output: Output = {
    isTerminal: () => isTerminal,
    write: (_stream, text) => {
      written += text;
    },
  };
  printTo(output);
  print();
  return written;
}

test('control characters are escaped in a pipe too, tabs and line breaks stay', () => {
  expect(piped(() => printNote('a\x1b]0;owned\x07\tb\r\n\x9b2J\x7f'))).toBe('a\\u001b]0;owned\\u0007\tb\\u000d\n\\u009b2J\\u007f\n');
  expect(piped(() => printLine('\x1b[1mnot ours\x1b[22m'))).toBe('\\u001b[1mnot ours\\u001b[22m\n');
});

test('JSON means the same in a pipe, and other characters stay as they are', () => {
  const value = { name: 'a\x1b\x9b\x7f\u202e\u200db' };
  const written = piped(() => printLine(JSON.stringify(value)));
  expect(written).toContain('\u202e\u200db');
  expect(JSON.parse(written)).toEqual(value);
});

test('a prompt is printed in a terminal only', () => {
  expect(piped(() => printPrompt('> '))).toBe('');
  expect(piped(() => printPrompt('> '), true)).toBe('> ');
});
