import { spawnSync } from 'node:child_process';
import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { skipUnless } from '#main/testing/skip-unless.ts';
import { Journal } from './journal.ts';
import { RunReader } from './run-reader.ts';
import { createRun, recorderOf, stepRecord, temporaryFolder } from './testing.ts';
import { closeJournals, openWorkspaceJournals } from './workspace-journals.ts';

/** A disk of its own for one test: 1 MiB, or read-only. Needs the right to mount. */
const { folder, remove } = temporaryFolder();
const disk = join(realpathSync(folder), 'disk');
mkdirSync(disk);
const mount = (...options: string[]) => spawnSync('mount', ['-t', 'tmpfs', ...options, 'none', disk]).status === 0;
const unmount = () => spawnSync('umount', ['-l', disk]);
const mayMount = process.platform === 'linux' && process.getuid?.() === 0 && mount('-o', 'size=1m');
if (mayMount) unmount();

afterAll(remove);

describe.skipIf(skipUnless(mayMount, 'a journal on a full and on a read-only disk', 'mounting one needs root on Linux'))(
  'on a disk of its own',
  () => {
    beforeEach(() => {
      vi.stubEnv('PRAVAH_HOME', join(realpathSync(folder), 'home'));
      mount('-o', 'size=1m');
    });
    afterEach(() => {
      vi.unstubAllEnvs();
      unmount();
    });

    test('reports a full disk and preserves all earlier records', () => {
      const journal = Journal.open(join(disk, 'runs.db'));
      const runId = createRun(journal, 0);
      const recorder = recorderOf(journal, runId, 'one');
      let written = 0;
      const fill = () => {
        for (let seq = 1; seq < 1000; seq += 1) {
          recorder.commit(stepRecord(seq, `${seq} ${'x'.repeat(20_000)}`, { pure: false }));
          written = seq;
        }
      };
      expect(fill).toThrow(/disk is full|failed/);
      expect(written).toBeGreaterThan(5);
      journal.close();
      expect(spawnSync('mount', ['-o', 'remount,size=8m', disk]).status).toBe(0);
      const again = Journal.open(join(disk, 'runs.db'));
      const reader = new RunReader(again, again.row(runId));
      expect(reader.row.last_seq).toBe(written);
      expect(reader.foldAt(written).states.get('A')?.value).toMatch(new RegExp(`^${written} x`));
      const next = recorderOf(again, runId, 'one');
      next.commit(stepRecord(written + 1, 'goes on', { pure: false }));
      expect(again.row(runId).last_seq).toBe(written + 1);
      again.close();
    });

    test('stores runs of a read-only folder in the profile, and runs in the folder can be viewed', async () => {
      const before = await openWorkspaceJournals(disk);
      const runId = createRun(before.main, { n: 1 });
      closeJournals(before);
      expect(spawnSync('mount', ['-o', 'remount,ro', disk]).status).toBe(0);
      const journals = await openWorkspaceJournals(disk);
      expect(journals.notice).toMatch(/is not writable/);
      expect(journals.main.path).toContain(join(realpathSync(folder), 'home'));
      createRun(journals.main, { n: 2 });
      expect(journals.others.map((journal) => [journal.readonly, journal.has(runId)])).toEqual([[true, true]]);
      closeJournals(journals);
    });
  },
);
