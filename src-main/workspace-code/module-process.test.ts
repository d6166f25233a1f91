import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const program = new URL('./module-process.ts', import.meta.url).href;

test('a process ends with the one that started it, also in the middle of an endless loop', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pravah-module-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'loop.mjs');
  const note = join(folder, 'pid');
  writeFileSync(
    file,
    `import { writeFileSync } from 'node:fs'; export const loop = () => { writeFileSync(${JSON.stringify(note)}, String(process.pid)); for (;;); };`,
  );
  const starting = `
    import { ModuleProcess } from ${JSON.stringify(program)};
    const target = { type: 'export', file: ${JSON.stringify(file)}, export: 'loop' };
    await new ModuleProcess(${JSON.stringify(folder)}).request({ type: 'call_handler', target, args: [], node: 'A', tools: [], now: 0, seed: 0 });`;
  const parent = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', starting], {
    stdio: 'inherit',
  });
  onTestFinished(() => void parent.kill('SIGKILL'));
  await expect.poll(() => existsSync(note) && readFileSync(note, 'utf8')).toMatch(/^\d+$/);
  const pid = Number(readFileSync(note, 'utf8'));
  expect(isAlive(pid)).toBe(true);
  parent.kill('SIGKILL');
  await expect.poll(() => isAlive(pid)).toBe(false);
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
