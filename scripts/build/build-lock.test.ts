import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#scripts/temporary-folder.ts';
import { buildLock } from './build-lock.ts';

test('the second builder waits until the first one is done', async () => {
  using folder = temporaryFolder({});
  const lock = join(folder.path, 'lock');
  const release = await buildLock(lock);
  const order: string[] = [];
  const second = buildLock(lock).then((releaseSecond) => {
    order.push('second');
    releaseSecond();
  });
  order.push('first');
  release();
  await second;
  expect(order).toEqual(['first', 'second']);
  expect(existsSync(lock)).toBe(false);
});

test('the lock of a builder that died is taken over', async () => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  using folder = temporaryFolder({ 'lock/pid': String(pid) });
  const release = await buildLock(join(folder.path, 'lock'));
  release();
});
