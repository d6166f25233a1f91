import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gridPlace } from './graph.ts';

/** Transitions of a paced run in a second, about: its nodes count up to a number for which they need that long. */
const rate = 1000;

/** A flow whose nodes run one after the other, round and round, `transitions` times in all, and its layout. Each node counts to `turns`. */
export function pacedLoop(count: number, transitions: number, turns: number): { readonly flow: string; readonly layout: string } {
  const work = count - 1;
  const schema = '{ type: object, properties: { steps: { type: integer } } }';
  const states = Array.from({ length: work + 1 }, (_, index) => `  S${index}: ${schema}\n`);
  const nodes = Array.from(
    { length: work },
    (_, index) =>
      `  - kind: work\n    from: S${index}\n    to: S${index + 1}\n    run: |\n      ({ steps = 0 }) => {\n        let sum = 0;\n        for (let turn = 0; turn < ${turns}; turn += 1) sum += turn;\n        return { steps: steps + (sum < 0 ? 0 : 1) };\n      }\n`,
  );
  const last = `  - { kind: either, from: S${work}, to: [Done, S0], expr: steps >= ${Math.floor((transitions * work) / count)} }\n`;
  const places = Object.fromEntries(Array.from({ length: count }, (_, index) => [`S${index}`, gridPlace(index, count)]));
  return {
    flow: `pravah: 1\nname: Loop of ${count}\ninput: S0\noutput: Done\nlimits: { steps: ${2 * transitions} }\nschemas:\n${states.join('')}  Done: ${schema}\nnodes:\n${nodes.join('')}${last}`,
    layout: JSON.stringify({ pravah_layout: 1, nodes: places }),
  };
}

/** How far a node counts in the time of one transition, from two runs of the command line. */
export function pacedTurns(command: string): number {
  const transitions = 2000;
  const [few, many] = [100, 10_000];
  const time = (turns: number) => {
    const folder = mkdtempSync(join(tmpdir(), 'pravah-pace-'));
    try {
      writeFileSync(join(folder, 'loop.flow.yaml'), pacedLoop(10, transitions, turns).flow);
      const start = performance.now();
      const { status, stderr } = spawnSync(process.execPath, [command, 'run', 'loop.flow.yaml', '--input', '{}'], {
        cwd: folder,
        env: { ...process.env, PRAVAH_HOME: join(folder, 'home') },
        encoding: 'utf8',
      });
      if (status !== 0) throw new Error(`The run that sets the pace failed: ${stderr.trim()}`);
      return (performance.now() - start) / transitions;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
  time(few);
  const [short, long] = [time(few), time(many)];
  const turn = (long - short) / (many - few);
  return Math.max(few, Math.round((1000 / rate - short) / turn));
}
