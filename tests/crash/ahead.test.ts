import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seededRandom } from '#main/engine/bodies/seeded-random.ts';
import { slowness } from '#main/testing/slowness.ts';
import type { AheadPlan } from './ahead-process.ts';
import { bundle } from './bundle.ts';
import { buildDrivenProgram, type DrivenProgram } from './driven-program.ts';

const runs = process.env.PRAVAH_SOAK ? 60 : 10;
const seed = Number(process.env.PRAVAH_CRASH_SEED ?? Date.now() % 1_000_000);

let program: DrivenProgram;
let folder: string;
beforeAll(async () => {
  program = await buildDrivenProgram(bundle, 'ahead-process');
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'pravah-ahead-')));
}, 120_000 * slowness);
afterAll(() => {
  program.remove();
  rmSync(folder, { recursive: true, force: true });
});

interface Driven {
  readonly run_id: string;
  readonly output: unknown;
  readonly killed: boolean;
}

async function drive(plan: AheadPlan): Promise<Driven> {
  const child = spawn(process.execPath, [program.path, JSON.stringify(plan)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_COMPILE_CACHE: program.cache },
  });
  let said: { run_id: string; output?: unknown } = { run_id: plan.run_id ?? '' };
  createInterface({ input: child.stdout }).on('line', (line) => {
    said = { ...said, ...(JSON.parse(line) as object) };
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  expect(signal === 'SIGKILL' || code === 0).toBe(true);
  return { run_id: said.run_id, output: said.output, killed: signal === 'SIGKILL' };
}

test(
  `${runs} runs that work ahead with all effects are killed again and again: each effect is done once`,
  async () => {
    process.stdout.write(`Crash suite of lanes: PRAVAH_CRASH_SEED=${seed}\n`);
    const random = seededRandom(seed);
    let kills = 0;
    for (let index = 0; index < runs; index += 1) {
      const log = join(folder, `log-${index}.txt`);
      let run_id: string | null = null;
      for (let attempt = 0; ; attempt += 1) {
        const turns = Array.from({ length: 5 }, () => Math.floor(random() * 20));
        const kill = attempt < 4 ? { nth: 1 + Math.floor(random() * 4), done: random() < 0.5 } : null;
        const driven: Driven = await drive({ journal_path: join(folder, 'runs.db'), log, run_id, turns, kill });
        run_id = driven.run_id;
        if (driven.killed) kills += 1;
        else {
          expect(driven.output).toEqual([
            ['B1', 'C1'],
            ['D1', 'E1'],
          ]);
          break;
        }
      }
      expect(readFileSync(log, 'utf8').trimEnd().split('\n').sort()).toEqual(['B', 'B1', 'C', 'C1', 'D', 'D1', 'E', 'E1']);
    }
    expect(kills).toBeGreaterThanOrEqual(runs);
  },
  600_000 * slowness,
);
