import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CommandFolder, endOf, eventsOf, killGroup } from '#main/hosts/cli/testing/command.ts';
import type { Json } from '#shared/json.ts';

/** Real processes, killed in the middle: no recorded step is lost, and no effect runs twice. */

let folder: CommandFolder;
beforeEach(() => {
  folder = new CommandFolder();
});
afterEach(() => folder.remove());

/** A flow whose tool appends a line to `witness` and then hangs while `hold` is there. */
const flow: Json = {
  pravah: 1,
  name: 'Witnessed',
  input: 'A',
  output: 'D',
  schemas: { A: {}, B: {}, C: {}, D: {} },
  nodes: [
    { kind: 'work', from: 'A', to: 'B', run: 'n => n + 1' },
    {
      kind: 'work',
      from: 'B',
      to: 'C',
      tool: 'run_command',
      with: { command: 'sh', args: ['-c', 'echo did >> witness; while test -e hold; do sleep 0.05; done'] },
    },
    { kind: 'work', from: 'C', to: 'D', expr: 'input.exit_code' },
  ],
};
const allowed = ['--allow-command', 'sh', '--json'];
const witness = () =>
  existsSync(join(folder.folder, 'witness')) ? readFileSync(join(folder.folder, 'witness'), 'utf8').split('\n').length - 1 : 0;

/** Starts the flow, waits until its effect is running, and kills the process. Returns the run's id. */
async function killInEffect(): Promise<string> {
  folder.write('test.flow.json', flow);
  folder.write('hold', '');
  const { child, answer } = folder.start('run', 'test.flow.json', '--input', '1', ...allowed);
  await expect.poll(witness).toBe(1);
  killGroup(child);
  const [first] = eventsOf(await answer);
  return first?.run_id ?? '';
}

test('asks for the outcome of an interrupted effect and does not repeat it', async () => {
  const runId = await killInEffect();
  const asked = await folder.run('continue', runId, ...allowed);
  expect([asked.code, witness()]).toEqual([3, 1]);
  const suspended = eventsOf(asked).find((event) => event.type === 'suspended');
  expect(suspended).toMatchObject({ reason: 'unknown_outcome', tool_id: 'B::run_command', value: { kind: 'unknown_outcome' } });
  const resumedRun = await folder.run(
    'resume',
    runId,
    '--tool-id',
    'B::run_command',
    '--payload',
    '{"result":{"exit_code":7}}',
    ...allowed,
  );
  expect([resumedRun.code, endOf(resumedRun).output, witness()]).toEqual([0, 7, 1]);
});

test('repeats an effect with an unknown outcome if the user asks for it', async () => {
  const runId = await killInEffect();
  rmSync(join(folder.folder, 'hold'));
  await folder.run('continue', runId, ...allowed);
  const again = await folder.run('resume', runId, '--tool-id', 'B::run_command', '--payload', '{"retry":true}', ...allowed);
  expect([again.code, endOf(again).output, witness()]).toEqual([0, 0, 2]);
});

/** Code that a process loads first: it ends by SIGKILL where it is about to put (or has just put) a file's new content in its place. */
const killedAtRename = (when: 'before' | 'after') => {
  const end = "process.kill(process.pid, 'SIGKILL')";
  const renaming = when === 'before' ? `{ ${end}; }` : `{ await rename(from, to); ${end}; }`;
  const code = `import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module';
    const { rename } = fs.promises;
    fs.promises.rename = async (from, to) => { if (String(to).endsWith('a.txt')) ${renaming} return rename(from, to); };
    syncBuiltinESMExports();`;
  return `--import=data:text/javascript,${encodeURIComponent(code)}`;
};

test.each([
  ['before', 'old', { retry: true }],
  ['after', 'new', { result: { path: 'a.txt', bytes: 3 } }],
] as const)('a file is complete and restorable if the process ended just %s its replacement', async (when, left, answer) => {
  folder.write('a.txt', 'old');
  const node = { kind: 'work', from: 'A', to: 'B', tool: 'write_file', with: { path: 'a.txt', content: 'new' } };
  folder.write('test.flow.json', { pravah: 1, name: 'Writes', input: 'A', output: 'B', schemas: { A: {}, B: {} }, nodes: [node] });
  const content = () => readFileSync(join(folder.folder, 'a.txt'), 'utf8');
  vi.stubEnv('NODE_OPTIONS', killedAtRename(when));
  const killed = await folder.run('run', 'test.flow.json', '--input', '{}', '--json');
  vi.unstubAllEnvs();
  expect([killed.signal, content()]).toEqual(['SIGKILL', left]);
  const run = eventsOf(killed)[0]?.run_id ?? '';
  const asked = await folder.run('continue', run, '--json');
  expect([asked.code, content()]).toEqual([3, left]);
  const resumedRun = await folder.run('resume', run, '--tool-id', 'A::write_file', '--payload', JSON.stringify(answer), '--json');
  expect([resumedRun.code, content()]).toEqual([0, 'new']);
  const restored = await folder.run('restore', run, '--step', '0', '--apply');
  expect([restored.code, content()]).toEqual([0, 'old']);
  // What the dead process left behind goes when the next one writes into the folder.
  expect(readdirSync(folder.folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

test('a run killed between steps continues from the last recorded one', async () => {
  const counting: Json = {
    pravah: 1,
    name: 'Counting',
    input: 'N',
    output: 'Done',
    limits: { steps: 1_000_000 },
    schemas: { N: {}, M: {}, Done: {} },
    nodes: [
      { kind: 'either', from: 'N', to: ['M', 'Done'], expr: 'n < 3000' },
      { kind: 'work', from: 'M', to: 'N', expr: 'n + 1', into: 'n' },
    ],
  };
  folder.write('test.flow.json', counting);
  const { child, answer } = folder.start('run', 'test.flow.json', '--input', '{"n":0}', '--json');
  await new Promise<void>((seen) => {
    let lines = 0;
    child.stdout?.on('data', (text: string) => {
      lines += text.split('\n').length;
      if (lines > 2000) seen();
    });
  });
  killGroup(child);
  const killed = await answer;
  expect(killed.signal).toBe('SIGKILL');
  const runId = (JSON.parse(killed.stdout.slice(0, killed.stdout.indexOf('\n'))) as { run_id: string }).run_id;
  const rest = await folder.run('continue', runId, '--json');
  expect([rest.code, endOf(rest).output]).toEqual([0, { n: 3000 }]);
  const shown = JSON.parse((await folder.run('show', runId, '--json')).stdout) as { timeline: { seq: number }[] };
  expect(shown.timeline.map(({ seq }) => seq)).toEqual(Array.from({ length: 6001 }, (_, index) => index + 1));
});

test('two processes on one run: one drives, the other is refused, and the effect happens once', async () => {
  folder.write('test.flow.json', flow);
  folder.write('hold', '');
  const begun = await folder.run('run', 'test.flow.json', '--input', '1', '--max-steps', '1', ...allowed);
  const { run_id: runId } = endOf(begun);
  const first = folder.start('continue', runId, ...allowed);
  await expect.poll(witness).toBe(1);
  const second = await folder.run('continue', runId, ...allowed);
  expect([second.code, endOf(second).error?.variant, witness()]).toEqual([1, 'Conflict', 1]);
  rmSync(join(folder.folder, 'hold'));
  const done = await first.answer;
  expect([done.code, endOf(done).output, witness()]).toEqual([0, 0, 1]);
});

test('a run that another process drives is cancelled from elsewhere', async () => {
  folder.write('test.flow.json', flow);
  folder.write('hold', '');
  const running = folder.start('run', 'test.flow.json', '--input', '1', ...allowed);
  await expect.poll(witness).toBe(1);
  const [run] = (await folder.run('runs', '--json')).stdout
    .split('\n')
    .map((line) => line && (JSON.parse(line) as { run_id: string; status: string }));
  expect(run).toMatchObject({ status: 'running' });
  const cancelling = await folder.run('cancel', run ? run.run_id : '', '--json');
  expect([cancelling.code, endOf(cancelling).status]).toEqual([0, 'cancelled']);
  const stopped = await running.answer;
  expect([stopped.code, endOf(stopped).status]).toEqual([130, 'cancelled']);
});

test('Ctrl+C cancels the run and prints it', async () => {
  folder.write('test.flow.json', flow);
  folder.write('hold', '');
  const running = folder.start('run', 'test.flow.json', '--input', '1', ...allowed);
  await expect.poll(witness).toBe(1);
  running.child.kill('SIGINT');
  const stopped = await running.answer;
  expect([stopped.code, endOf(stopped).status]).toEqual([130, 'cancelled']);
});
