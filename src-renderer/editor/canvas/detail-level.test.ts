import { describe, expect, it } from 'vitest';
import { detailLevel, steppedZoom, titleSize } from './detail-level.tsx';

const zooms = Array.from({ length: 1950 }, (_, index) => 0.05 + index * 0.001);

describe('levels of detail', () => {
  it('change at 70, 35 and 12 per cent', () => {
    expect([0.7, 0.6999, 0.35, 0.3499, 0.12, 0.1199].map(detailLevel)).toEqual(['full', 'titles', 'titles', 'blocks', 'blocks', 'map']);
  });

  it('show titles of at least 11 pixels on whole cards', () => {
    for (const zoom of zooms.filter((one) => detailLevel(one) === 'full')) expect(titleSize(zoom) * zoom).toBeGreaterThanOrEqual(11 - 1e-9);
  });

  it('show titles of 12 pixels, and at most a tenth more, on all other cards', () => {
    for (const zoom of zooms.filter((one) => detailLevel(one) !== 'full')) {
      expect(titleSize(zoom) * zoom).toBeGreaterThanOrEqual(12 - 1e-9);
      expect(titleSize(zoom) * zoom).toBeLessThan(12 * 1.1 + 0.1);
    }
  });

  it('show titles of their usual size if that is readable', () => {
    expect([0.92, 1, 2].map(titleSize)).toEqual([12, 12, 12]);
  });

  it('change their size in steps, so that cards are not restyled on every wheel event', () => {
    const steps = new Set(zooms.filter((zoom) => zoom >= 0.35 && zoom < 1).map(steppedZoom));
    expect(steps.size).toBeLessThanOrEqual(12);
  });
});
