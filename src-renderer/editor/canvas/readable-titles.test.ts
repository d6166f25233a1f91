import { describe, expect, it } from 'vitest';
import { detailLevel, titleSize } from './readable-titles.tsx';

describe('titles', () => {
  it('are at least 11 pixels high at every zoom that shows them', () => {
    for (let zoom = 0.05; zoom <= 2; zoom += 0.001) {
      if (detailLevel(zoom) !== 'blocks') expect(titleSize(zoom) * zoom).toBeGreaterThanOrEqual(11 - 1e-9);
    }
  });

  it('have their usual size if that is readable', () => {
    expect([0.95, 1, 2].map(titleSize)).toEqual([12, 12, 12]);
  });

  it('change in steps, so that cards do not render on every wheel event', () => {
    const sizes = new Set(Array.from({ length: 1000 }, (_, index) => titleSize(0.35 + (index / 1000) * 0.65)));
    expect(sizes.size).toBeLessThanOrEqual(14);
  });
});
