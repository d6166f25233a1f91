import { describe, expect, it } from 'vitest';
import type { CanvasNode } from './canvas-nodes.ts';
import { moveWith } from './move-with.ts';

const at = (id: string, x: number, y: number) => ({ id, position: { x, y } }) as CanvasNode;
const positions = { A: { x: 0, y: 0 }, B: { x: 100, y: 0 }, C: { x: 200, y: 8 } };

describe('a drag', () => {
  it('moves the cards that were dragged', () => {
    expect(moveWith(at('A', 10.4, 20), [at('A', 10.4, 20)], ['A'], positions)).toEqual({ A: { x: 10, y: 20 } });
  });

  it('moves selected cards that are not mounted by the same distance', () => {
    const dragged = [at('A', 10, 20), at('B', 110, 20)];
    expect(moveWith(at('A', 10, 20), dragged, ['A', 'B', 'C'], positions)).toEqual({
      A: { x: 10, y: 20 },
      B: { x: 110, y: 20 },
      C: { x: 210, y: 28 },
    });
  });

  it('leaves the selection alone if another card was dragged', () => {
    expect(moveWith(at('A', 10, 20), [at('A', 10, 20)], ['B', 'C'], positions)).toEqual({ A: { x: 10, y: 20 } });
  });
});
