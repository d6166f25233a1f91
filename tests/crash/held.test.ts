import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { slowness } from '#main/testing/slowness.ts';
import { bundle } from './bundle.ts';
import { buildDrivenProgram, type DrivenProgram } from './driven-program.ts';
import type { HeldPlan } from './held-process.ts';

let program: DrivenProgram;
let folder: string;
beforeAll(async () => {
  program = await buildDrivenProgram(bundle, 'held-process');
}, 120_000 * slowness);
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'pravah-held-')));
  mkdirSync(join(folder, '.pravah'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
afterAll(() => program.remove());

/** Writes a flow whose two nodes call tools in code. */
function writeFlow(name: string, first: string, second: string): void {
  const call = (from: string, to: string, code: string) => ({
    kind: 'work',
    from,
    to,
    run: `async (value, ctx) => { ${code} return value; }`,
    tools: [{ use: 'witness', approve: 'never' }],
  });
  const nodes = [call('In', 'Mid', first), call('Mid', 'Out', second)];
  const schemas = { In: {}, Mid: {}, Out: {} };
  writeFileSync(join(folder, name), JSON.stringify({ pravah: 1, name: 'Inner', input: 'In', output: 'Out', schemas, nodes }));
}

/** Runs a process until it waits in a hold, where it is killed, or until its run ends. */
async function drive(
  plan: Omit<HeldPlan, 'folder' | 'journal_path'>,
): Promise<{ run_id: string; ended: string | null; held: string | null }> {
  const whole: HeldPlan = { ...plan, folder, journal_path: join(folder, '.pravah', 'runs.db') };
  const child = spawn(process.execPath, [program.path, JSON.stringify(whole)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_COMPILE_CACHE: program.cache },
  });
  let [run_id, ended, held]: [string, string | null, string | null] = ['', null, null];
  createInterface({ input: child.stdout }).on('line', (line) => {
    const said = JSON.parse(line) as { type: string; run_id?: string; status?: string; at?: string };
    run_id = said.run_id ?? run_id;
    ended = said.status ?? ended;
    held = said.at ?? held;
    if (said.type === 'held') child.kill('SIGKILL');
  });
  await once(child, 'close');
  return { run_id, ended, held };
}

test(
  'a process that is killed in each of 20 holds has claimed nothing there, and nothing is done twice',
  async () => {
    writeFlow('inner.flow.json', "await ctx.tools.witness({ what: 'inner 1' });", "await ctx.tools.witness({ what: 'inner 2' });");
    let run_id: string | null = null;
    let ended: string | null = null;
    let kills = 0;
    // Each process is held where the one before was killed, continues that hold, and is killed in the next one.
    for (; ended === null && kills < 40; kills += 1) {
      ({ run_id, ended } = await drive({ when: 'before', run_id, stays: kills === 0 ? 1 : 2 }));
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

test(
  'a process that is killed in each of 20 holds after a call, a failed call or a node repeats no call',
  async () => {
    writeFlow(
      'called.flow.json',
      "await ctx.tools.witness({ what: value.name + ' works' });",
      "try { await ctx.tools.witness({ what: value.name + ' fails', fails: true }); } catch {}",
    );
    const names = ['A', 'B', 'C', 'D', 'E'];
    let run_id: string | null = null;
    const places: (string | null)[] = [];
    // A finished call is not held again, a node is: its flow begins again with the step.
    for (const name of names)
      for (const stays of [name === 'A' ? 1 : 3, 1, 2, 2]) {
        const found = await drive({ when: 'after', run_id, stays });
        expect(found.ended).toBeNull();
        run_id = found.run_id;
        places.push(found.held?.replace(/, hit \d+$/, '') ?? null);
      }
    expect(places).toEqual(
      names.flatMap((name) => [
        `b1: after witness in ${name} › called › In`,
        `b3: after ${name} › called › In`,
        `b2: error witness in ${name} › called › Mid`,
        `b4: after ${name} › called › Mid`,
      ]),
    );
    expect((await drive({ when: 'after', run_id, stays: Number.MAX_SAFE_INTEGER })).ended).toBe('success');
    const done = readFileSync(join(folder, 'log.txt'), 'utf8').trim().split('\n');
    expect(done).toEqual(names.flatMap((name) => [`${name} works`, `${name} fails`]));
  },
  300_000 * slowness,
);
