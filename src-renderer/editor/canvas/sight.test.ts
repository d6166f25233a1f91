import { describe, expect, it } from 'vitest';
import { type Sight, sightOf } from './sight.ts';

const size = { width: 1000, height: 600 };

describe('sight', () => {
  it('stays the same object while the canvas is moved by less than half a screen', () => {
    const first = sightOf({ x: 0, y: 0, zoom: 1 }, size);
    expect(sightOf({ x: 400, y: -250, zoom: 1 }, size, first)).toBe(first);
    expect(sightOf({ x: 600, y: 0, zoom: 1 }, size, first)).not.toBe(first);
  });

  it('changes once with the level of detail', () => {
    let sight: Sight = sightOf({ x: 0, y: 0, zoom: 0.9 }, size);
    let changes = 0;
    for (let zoom = 0.9; zoom > 0.5; zoom -= 0.01) {
      const next = sightOf({ x: 0, y: 0, zoom }, size, sight);
      if (next.level !== sight.level) changes += 1;
      sight = next;
    }
    expect(changes).toBe(1);
  });

  it('keeps its level and sizes while the canvas is zoomed, until cards that are not mounted come into sight', () => {
    const first = sightOf({ x: 0, y: 0, zoom: 1 }, size);
    const at = (zoom: number) => ({ x: 500 * (1 - zoom), y: 300 * (1 - zoom), zoom });
    expect(sightOf(at(0.6), size, first, true)).toBe(first);
    expect(sightOf(at(0.45), size, first, true)).toMatchObject({ level: 'titles' });
    expect(sightOf(at(0.6), size, first)).toMatchObject({ level: 'titles', sizes: { lines: 2 } });
  });

  it('only changes its sizes where the zoom rests at the same level', () => {
    const first = sightOf({ x: 0, y: 0, zoom: 1 }, size);
    const next = sightOf({ x: 0, y: 0, zoom: 0.9 }, size, first);
    expect(next.sizes).not.toEqual(first.sizes);
    expect(next.box).toBe(first.box);
  });

  it('covers what is in sight', () => {
    expect(sightOf({ x: -100, y: -50, zoom: 0.5 }, size).box).toEqual({ x: -800, y: -500, width: 4000, height: 2400 });
  });
});
