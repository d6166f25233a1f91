import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CommandFolder } from '#main/hosts/cli/testing/command.ts';
import { isJsonObject, type Json } from '#shared/json.ts';

let space: CommandFolder;
beforeEach(() => {
  space = new CommandFolder();
  space.write('pravah.json', '{}');
  git('init', '-q', '-b', 'main');
});
afterEach(() => space.remove());

/** The plain git of this machine. */
function git(...args: string[]): string {
  const identity = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org'];
  return execFileSync('git', [...identity, ...args], { cwd: space.folder, stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' }).trim();
}

function commit(subject: string): string {
  git('add', '-A');
  git('commit', '-q', '--allow-empty', '-m', subject);
  return git('rev-parse', 'HEAD');
}

const inner = (factor: string): Json => ({
  pravah: 1,
  name: 'Inner',
  input: 'Said',
  output: 'Total',
  schemas: { Said: { type: 'object' }, Total: { type: 'object' } },
  nodes: [{ kind: 'work', from: 'Said', to: 'Total', run_file: `./${factor}` }],
});

const outer: Json = {
  pravah: 1,
  name: 'Outer',
  input: 'Start',
  output: 'Total',
  schemas: { Start: { type: 'object' }, Said: { type: 'object' }, Total: { type: 'object' } },
  nodes: [
    { kind: 'agent', from: 'Start', to: 'Said', agent: { model: 'script://script.json', prompt: 'Count', tools: [] } },
    { kind: 'flow', flow: './inner.flow.json' },
  ],
};

/** A repository in which the nested flow's code changes its result in the commit `Double it`, and one commit before does not build. */
async function repository(): Promise<{ run: string; good: string; broken: string; bad: string }> {
  space.write('.gitignore', '.pravah\n');
  space.write('script.json', { turns: [{ output: { n: 4 } }] });
  space.write('outer.flow.json', outer);
  space.write('inner.flow.json', inner('total.js'));
  space.write('total.js', '({ n }) => ({ total: n })');
  const good = commit('Begin');
  space.write('notes.md', 'notes');
  commit('Take notes');
  space.write('total.js', '({ n }) => ({ total: n + 0 })');
  commit('Rewrite without a change of the result');
  space.write('outer.flow.json', '{');
  const broken = commit('Break the flow');
  space.write('outer.flow.json', outer);
  commit('Repair it');
  space.write('total.js', '({ n }) => ({ total: n * 2 })');
  const bad = commit('Double it');
  for (const name of ['one', 'two', 'three']) {
    space.write(`${name}.txt`, name);
    commit(`Add ${name}`);
  }
  git('stash', 'list');
  git('checkout', '-q', good);
  const { stdout } = await space.run('run', 'outer.flow.json', '--input', '{}', '--json');
  git('checkout', '-q', 'main');
  const { run_id: run } = JSON.parse(stdout.split('\n')[0] as string) as { run_id: string };
  return { run, good, broken, bad };
}

const report = (text: string): Record<string, Json> => {
  const value = JSON.parse(text) as Json;
  if (!isJsonObject(value)) throw new Error(text);
  return value;
};

test('bisect names the commit in which the code of a nested flow changed a run, from its record and without a checkout', async () => {
  const { run, good, bad } = await repository();
  // No model is there to be called, and the files of the folder are not looked at.
  space.write('script.json', '');
  space.write('outer.flow.json', 'not this one');
  const before = git('status', '--porcelain');
  const { code, stdout, stderr } = await space.run('bisect', run, '--good', good, '--bad', 'main', '--json');
  expect([code, stderr]).toEqual([0, '']);
  const found = report(stdout);
  expect(found).toMatchObject({
    first_bad: {
      commit: bad,
      subject: 'Double it',
      author: 'Ann',
      divergence: { what: 'states', path: '/Total/total', expected: 4, actual: 8 },
    },
    commits: 8,
  });
  expect(git('status', '--porcelain')).toBe(before);
  const readable = await space.run('bisect', run, '--good', good, '--bad', 'main');
  expect(readable.stdout).toMatch(/^first bad {2}\w{10} {2}Double it\n[\s\S]*expected {2}4\n[\s\S]*actual {4}8/);
  expect(readable.stderr).toMatch(/^bad {6}\w{10} {2}Add three$/m);
});

test('bisect skips a commit whose flow does not build, and lists the candidates that this leaves', async () => {
  const { run, good, broken, bad } = await repository();
  const near = report((await space.run('bisect', run, '--good', `${broken}~1`, '--bad', bad, '--json')).stdout);
  expect(near.first_bad).toMatchObject({ commit: bad });
  git('checkout', '-q', '-b', 'other', broken);
  space.write('outer.flow.json', outer);
  space.write('total.js', '({ n }) => ({ total: n * 3 })');
  const tripled = commit('Repair and triple it');
  const both = await space.run('bisect', run, '--good', good, '--bad', 'other', '--json');
  expect(report(both.stdout)).toMatchObject({
    first_bad: null,
    candidates: [
      { commit: broken, verdict: 'skipped', reason: expect.stringContaining("can't be built") },
      { commit: tripled, verdict: 'bad' },
    ],
  });
});

test('bisect with an expectation judges the output that recorded answers give, and accepts a capsule', async () => {
  const { run, good, bad } = await repository();
  const capsule = join(space.root, 'run.capsule.json');
  await space.run('export-run', run, '--out', capsule);
  const { stdout } = await space.run('bisect', capsule, '--good', good, '--bad', 'main', '--expect', 'total < 5', '--json');
  expect(report(stdout).first_bad).toMatchObject({ commit: bad, output: { total: 8 } });
  const fine = await space.run('bisect', run, '--good', good, '--bad', 'main', '--expect', 'output.total < 50');
  expect(fine).toMatchObject({ code: 1, stderr: expect.stringContaining('main is not bad') });
  expect(await space.run('bisect', run, '--good', good, '--bad', 'main', '--expect', 'total <')).toMatchObject({ code: 2 });
});

test('bisect refuses revisions that are missing, options, or in the wrong order, and a good commit that is not', async () => {
  const { run, good, bad } = await repository();
  const tried = async (from: string, to: string) => (await space.run('bisect', run, `--good=${from}`, `--bad=${to}`)).stderr;
  expect(await tried('nothing', 'main')).toContain('There is no commit nothing');
  expect(await tried('--all', 'main')).toContain('There is no commit --all');
  expect(await tried('main', good)).toContain('main is not an earlier commit');
  expect(await tried(bad, 'main')).toContain(`${bad} is not good`);
});

test('bisect in a folder that is not trusted does not run what its repository names', async () => {
  const { run, good } = await repository();
  mkdirSync(join(space.root, 'outside'));
  git('config', 'diff.external', `touch ${space.root}/outside/ran`);
  git('config', 'core.fsmonitor', `touch ${space.root}/outside/ran`);
  const { code, stderr } = await space.run('bisect', run, '--good', good, '--bad', 'main');
  expect([code, stderr]).toEqual([1, expect.stringContaining('ForbiddenCommand')]);
});
