import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readWindowState } from './window-state.ts';

const screen = { x: 0, y: 0, width: 1920, height: 1080 };
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pravah-window-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (content: string, screens = [screen]) => {
  const file = join(folder, 'window.json');
  writeFileSync(file, content);
  return readWindowState(file, screens);
};
const at = (x: number, y: number, width = 1000, height = 700) => JSON.stringify({ bounds: { x, y, width, height }, maximized: true });

describe('the window’s state', () => {
  test('is restored as it was saved', () => {
    expect(read(at(40, 50))).toEqual({ bounds: { x: 40, y: 50, width: 1000, height: 700 }, maximized: true });
  });

  test('is forgotten when its screen has gone', () => {
    expect(read(at(2500, 50))).toBeNull();
    expect(read(at(-990, 50))).toBeNull();
    expect(read(at(2500, 50), [screen, { x: 1920, y: 0, width: 1280, height: 1024 }])).not.toBeNull();
  });

  test.each(['', '{}', 'null', '{"bounds":{"x":"0"}}', at(0, 0, 10, 10), at(Number.MAX_SAFE_INTEGER, 0)])(
    'is forgotten when it reads %s',
    (content) => {
      expect(read(content)).toBeNull();
    },
  );

  test('is null without a file', () => {
    expect(readWindowState(join(folder, 'nothing.json'), [screen])).toBeNull();
  });
});
