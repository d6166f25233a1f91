import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { processorTime } from '#shared/testing/processor-time.ts';
import { lineDifference } from './line-difference.ts';

const shown = (before: string | null, after: string) =>
  lineDifference(before, after).lines.map(({ kind, text }) => `${{ same: ' ', added: '+', removed: '-', skipped: '…' }[kind]}${text}`);

describe('the difference of two texts', () => {
  it('shows what is added and removed, with three lines round it', () => {
    const before = ['# Changelog', '', '## Unreleased', ...Array.from({ length: 9 }, (_, index) => `line ${index}`)].join('\n');
    const after = before.replace('## Unreleased', '## 1.5.0\n### Features');
    expect(shown(before, after)).toEqual([
      ' # Changelog',
      ' ',
      '-## Unreleased',
      '+## 1.5.0',
      '+### Features',
      ' line 0',
      ' line 1',
      ' line 2',
      '…6 unchanged lines',
    ]);
    expect(lineDifference(before, after)).toMatchObject({ added: 2, removed: 1 });
  });

  it('shows a new file as added from the first line to the last', () => {
    expect(shown(null, 'a\nb\n')).toEqual(['+a', '+b']);
    expect(shown('', '')).toEqual([]);
  });

  it('shows where lines differ in what is not seen', () => {
    expect(shown('a\nb', 'a\nb\n')).toEqual([' a', '-b ⟨no line end⟩', '+b']);
    expect(shown('a\n', 'a \t\n')).toEqual(['-a', '+a·→']);
    expect(shown('a', 'b')).toEqual(['-a', '+b']);
  });

  it('counts the lines: same and added lines make up the new text', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 30 }).map((lines) => lines.map((line) => `${line}\n`).join(''));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const { added, removed } = lineDifference(before, after);
        expect(after.split('\n').length - before.split('\n').length).toBe(added - removed);
        if (before === after) expect(added + removed).toBe(0);
      }),
      { seed: 9, numRuns: 300 },
    );
  });

  it('finishes for large texts that have nothing in common', () => {
    const before = Array.from({ length: 30_000 }, (_, index) => `a${index}`).join('\n');
    const after = Array.from({ length: 30_000 }, (_, index) => `b${index}`).join('\n');
    const time = processorTime(() => expect(lineDifference(before, after)).toMatchObject({ added: 30_000, removed: 30_000 }));
    expect(time).toBeLessThan(3000);
  });
});
