import { expect, test } from 'vitest';
import { seededRandom } from '#main/engine/bodies/seeded-random.ts';
import { endlessBody, nativeOperations } from '#main/engine/testing/native-operations.ts';
import { outcomeIn } from '#main/engine/testing/sandbox-outcome.ts';
import { Sandbox } from './sandbox.ts';

/** `PRAVAH_SOAK` takes all of them; `PRAVAH_SEED` repeats a choice. */
const seed = Number(process.env.PRAVAH_SEED ?? Math.floor(Math.random() * 2 ** 31));
const random = seededRandom(seed);
const chosen = process.env.PRAVAH_SOAK
  ? nativeOperations
  : [...nativeOperations].sort((one, other) => random() - 0.5 || one.title.localeCompare(other.title)).slice(0, 15);

// A limit that does not hold would leave this process computing for minutes, and the test run would say so.
test.each(chosen)(`ends a body that repeats $title without end (seed ${seed})`, { timeout: 60_000 }, async (operation) => {
  const sandbox = await Sandbox.create();
  const outcome = outcomeIn(sandbox, endlessBody(operation), 300);
  expect(outcome.type === 'error' ? outcome.error.message : outcome).toMatch(/more than 0\.3 s|out of memory/);
});

test('covers at least the operations of the review', () => {
  expect(nativeOperations.length).toBeGreaterThanOrEqual(109);
});
