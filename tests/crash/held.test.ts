import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { slowness } from '#main/testing/slowness.ts';
import { bundle } from './bundle.ts';
import { buildDrivenProgram, type DrivenProgram } from './driven-program.ts';
import type { HeldPlan } from './held-process.ts';

let program: DrivenProgram;
let folder: string;
beforeAll(async () => {
  program = await buildDrivenProgram(bundle, 'held-process');
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'pravah-held-')));
  mkdirSync(join(folder, '.pravah'));
  const schemas = { In: {}, Mid: {}, Out: {} };
  const call = (from: string, to: string, name: string) => ({
    kind: 'work',
    from,
    to,
    run: `async (value, ctx) => ctx.tools.witness({ what: '${name}' })`,
    tools: [{ use: 'witness', approve: 'never' }],
  });
  const nodes = [call('In', 'Mid', 'inner 1'), call('Mid', 'Out', 'inner 2')];
  writeFileSync(join(folder, 'inner.flow.json'), JSON.stringify({ pravah: 1, name: 'Inner', input: 'In', output: 'Out', schemas, nodes }));
}, 120_000 * slowness);
afterAll(() => {
  program.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a process until it waits in a hold, where it is killed, or until its run ends. */
async function drive(plan: Omit<HeldPlan, 'folder' | 'journal_path'>): Promise<{ run_id: string; ended: string | null }> {
  const whole: HeldPlan = { ...plan, folder, journal_path: join(folder, '.pravah', 'runs.db') };
  const child = spawn(process.execPath, [program.path, JSON.stringify(whole)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_COMPILE_CACHE: program.cache },
  });
  let [run_id, ended]: [string, string | null] = ['', null];
  createInterface({ input: child.stdout }).on('line', (line) => {
    const said = JSON.parse(line) as { type: string; run_id?: string; status?: string };
    run_id = said.run_id ?? run_id;
    ended = said.status ?? ended;
    if (said.type === 'held') child.kill('SIGKILL');
  });
  await once(child, 'close');
  return { run_id, ended };
}

test(
  'a process that is killed in each of 20 holds has claimed nothing there, and nothing is done twice',
  async () => {
    let run_id: string | null = null;
    let ended: string | null = null;
    let kills = 0;
    // Each process is held where the one before was killed, continues that hold, and is killed in the next one.
    for (; ended === null && kills < 40; kills += 1) {
      ({ run_id, ended } = await drive({ run_id, stays: kills === 0 ? 1 : 2 }));
    }
    expect(ended).toBe('success');
    const bodies = ['A', 'B', 'C', 'D'].flatMap((name) => [`${name} 1`, `${name} 2`]);
    const after = ['F', 'G', 'H', 'I'].flatMap((name) => [`${name} 1`, `${name} 2`]);
    const expected = [...bodies, 'model 1', 'inner 1', 'inner 2', 'model 3', ...after];
    expect(readFileSync(join(folder, 'log.txt'), 'utf8').trim().split('\n')).toEqual(expected);
    expect(kills - 1).toBe(expected.length);
    expect(expected).toHaveLength(20);
  },
  300_000 * slowness,
);
