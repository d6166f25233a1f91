import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { seededRandom } from '#main/engine/bodies/seeded-random.ts';
import { slowness } from '#main/testing/slowness.ts';
import { bundle } from './bundle.ts';
import { buildDrivenProgram } from './driven-program.ts';
import { KillingLane, type KillKind, type KillPlace } from './killing-lane.ts';

/** Processes that are killed. `PRAVAH_CRASH_KILLS` sets another number, `PRAVAH_CRASH_SEED` repeats the choices of an earlier run. */
const kills = Number(process.env.PRAVAH_CRASH_KILLS ?? 200);
const seed = Number(process.env.PRAVAH_CRASH_SEED ?? Date.now() % 1_000_000);
const lanes = ['a', 'b'];
const between: KillPlace = 'between its end and its record';

test(`${kills} processes are killed: no recorded step is lost, no effect runs twice but model calls, and what else is unknown is asked`, {
  timeout: 600_000 * slowness,
}, async () => {
  process.stdout.write(`Crash suite: PRAVAH_CRASH_SEED=${seed}\n`);
  const folder = mkdtempSync(join(tmpdir(), 'pravah-crash-'));
  const program = await buildDrivenProgram(bundle);
  try {
    const counts = new Map<KillPlace, number>();
    let finished = 0;
    const drive = async (name: string, index: number): Promise<void> => {
      const random = seededRandom(seed + index);
      const lane = await KillingLane.open(program, folder, name, random);
      try {
        const share = Math.ceil(kills / lanes.length);
        while (lane.places.length < share) await lane.kill(kindOf(random()));
        // To hit the moment after an answer takes luck, and on a busy machine more of it.
        while (lane.count(between) < share / 10 && lane.places.length < 2 * share) await lane.kill('answered');
        await lane.finish();
      } finally {
        await lane.close();
      }
      for (const place of lane.places) counts.set(place, (counts.get(place) ?? 0) + 1);
      finished += lane.finished;
    };
    const ends = await Promise.allSettled(lanes.map(drive));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
    const told = [...counts].map(([place, count]) => `${count} ${place}`).join(', ');
    process.stdout.write(`Crash suite: ${total} kills (${told}); ${finished} runs came to their end\n`);
    expect(total).toBeGreaterThanOrEqual(kills);
    expect(counts.get('inside an effect')).toBeGreaterThanOrEqual(kills / 4);
    expect(counts.get(between)).toBeGreaterThanOrEqual(kills / 10);
  } finally {
    program.remove();
    rmSync(folder, { recursive: true, force: true });
  }
});

function kindOf(chance: number): KillKind {
  if (chance < 0.4) return 'under way';
  return chance < 0.7 ? 'answered' : 'any time';
}
