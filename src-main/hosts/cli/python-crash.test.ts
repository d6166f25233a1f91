import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CommandFolder, endOf, eventsOf, killGroup } from '#main/hosts/cli/testing/command.ts';
import { withoutPython } from '#main/python/testing.ts';

let space: CommandFolder;

beforeEach(() => {
  space = new CommandFolder();
});
afterEach(() => space.remove());

it.skipIf(withoutPython('the crash during a code agent'))(
  'after kill -9 during a Python function, the run asks before it calls the function again',
  async () => {
    const log = join(space.folder, 'calls.txt');
    space.write('shop.py', `import time\ndef f():\n    open(${JSON.stringify(log)}, "a").write("x")\n    time.sleep(2)\n    return 1\n`);
    const agents = [{ name: 'f', type: 'code', function: 'shop.f', output_key: 'r' }];
    space.write('workflow.yaml', { name: 'w', agents, orchestration: { type: 'sequential', agents: ['f'] } });
    const { child } = space.start('run', 'workflow.yaml', '--trust', '--json');
    while (!existsSync(log)) await wait(20);
    killGroup(child);
    const [{ run_id } = { run_id: '' }] = JSON.parse(`[${(await space.run('runs', '--json')).stdout.trim().split('\n').join(',')}]`) as {
      run_id: string;
    }[];
    const asked = await space.run('continue', run_id, '--json');
    expect(asked.code).toBe(3);
    expect(eventsOf(asked).flatMap((event) => (event.type === 'suspended' ? [event.reason] : []))).toEqual(['unknown_outcome']);
    const answered = await space.run('resume', run_id, '--tool-id', 'f::handler', '--payload', '{"result": 7}', '--json');
    expect(endOf(answered)).toMatchObject({ status: 'success', output: { state: { r: 7 } } });
    expect(readFileSync(log, 'utf8')).toBe('x');
  },
);
