import { describe, expect, it } from 'vitest';
import { agoText, durationText, waitText } from './durations.ts';

const minute = 60_000;
const hour = 60 * minute;

describe('the text of a duration', () => {
  it('is more precise for shorter durations', () => {
    expect([0.4, 3, 999, 1400, 12_300, 125_000, 2 * hour + 5 * minute, 49 * hour].map(durationText)).toEqual([
      '< 1 ms',
      '3 ms',
      '999 ms',
      '1.4 s',
      '12 s',
      '2 min 5 s',
      '2 h 5 min',
      '2 d 1 h',
    ]);
  });

  it('is in whole seconds and minutes while it grows', () => {
    expect([0, 12_900, 3 * minute + 20_000, 2 * hour + 5 * minute].map(waitText)).toEqual(['0 s', '12 s', '3 min', '2 h 5 min']);
    expect([1000, 12_000, 3 * minute, 26 * hour].map((past) => agoText(0, past))).toEqual([
      'just now',
      '12 s ago',
      '3 min ago',
      '1 d 2 h ago',
    ]);
  });
});
