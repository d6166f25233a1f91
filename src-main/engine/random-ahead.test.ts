import { expect, it } from 'vitest';
import { compareAhead } from '#main/engine/testing/random-ahead.ts';
import { TestWorkspace } from '#main/engine/testing/workspace.ts';
import { slowness } from '#main/testing/slowness.ts';

it(
  'random flows leave the same records and snapshots, however far they work ahead',
  async () => {
    using space = new TestWorkspace({ onEvent: undefined });
    const most = await compareAhead(space, { first: 40, count: 24 }, (driven, alone) => expect(driven).toEqual(alone));
    expect(most).toBeGreaterThan(1);
  },
  120_000 * slowness,
);
