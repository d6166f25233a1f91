import { chmod, readdir, stat } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { refusal, TestWorkspace } from '#main/tools/testing/test-workspace.ts';
import type { JsonObject } from '#shared/json.ts';
import { FlowError } from '#shared/run/error.ts';
import { runCommandTool } from './run-command.ts';

let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await TestWorkspace.make();
});
afterEach(() => workspace[Symbol.asyncDispose]());

const run = (command: string, args: string[] = [], input: JsonObject = {}, signal?: AbortSignal) =>
  workspace.call(runCommandTool, { command, args, ...input }, { allow_commands: [command], signal }) as Promise<JsonObject>;
const shell = (script: string, input: JsonObject = {}, signal?: AbortSignal) => run('sh', ['-c', script], input, signal);

/** Waits until a process with this id is gone; the test's own time limit ends it otherwise. */
async function untilGone(pid: number): Promise<void> {
  while (
    await stat(`/proc/${pid}`).then(
      () => true,
      () => false,
    )
  ) {
    const state = await import('node:fs/promises').then(({ readFile }) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') Z'));
    if (/\) Z/.test(state)) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('run_command', () => {
  test('returns what the program printed and how it ended', async () => {
    expect(await shell('echo out; echo err >&2; exit 3')).toEqual({ exit_code: 3, stdout: 'out\n', stderr: 'err\n', truncated: false });
  });

  test('runs in the working folder, without a shell', async () => {
    expect((await run('pwd')).stdout).toBe(`${workspace.folder}\n`);
    expect((await run('echo', ['$HOME', '*', ';', 'ls', '`id`'])).stdout).toBe('$HOME * ; ls `id`\n');
  });

  test('run_command passes standard input, and none by default', async () => {
    expect((await run('cat', [], { stdin: 'größe\n' })).stdout).toBe('größe\n');
    expect((await run('cat')).stdout).toBe('');
    expect((await run('true', [], { stdin: 'x'.repeat(1_000_000) })).exit_code).toBe(0);
  });

  test('run_command passes the program only the allowed environment variables', async () => {
    process.env.OPENAI_API_KEY = 'sk-very-secret-value';
    try {
      const { stdout } = await run('env');
      const names = (stdout as string).split('\n').map((line) => line.split('=')[0]);
      expect(stdout).not.toContain('sk-very-secret-value');
      expect(
        new Set(names).difference(
          new Set(['PATH', 'HOME', 'TMPDIR', 'LANG', 'TERM', 'PAGER', 'USER', 'LOGNAME', 'TZ', 'PRAVAH_PROCESS_MARK', '']),
        ),
      ).toEqual(new Set());
      expect(stdout).not.toContain('node_modules');
    } finally {
      delete process.env.OPENAI_API_KEY;
    }
  });

  test('run_command returns a null exit code when a signal ended the program', async () => {
    expect(await shell('kill -9 $$')).toMatchObject({ exit_code: null });
  });

  test('keeps the first mebibyte of each output', async () => {
    const result = await shell('head -c 10000000 /dev/zero | tr "\\0" x; echo end >&2');
    expect([(result.stdout as string).length, result.stderr, result.truncated, result.exit_code]).toEqual([1024 * 1024, 'end\n', true, 0]);
  });

  test('cuts no character in half, and shows invalid bytes as such', async () => {
    const cut = await shell('printf x; while :; do printf €€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€; done | head -c 2000000');
    expect(cut.stdout).toMatch(/^x€+$/);
    expect((await shell('printf "a\\377b"')).stdout).toBe('a\uFFFDb');
  });

  test('ends a program that prints without end', async () => {
    expect(await run('yes')).toMatchObject({ exit_code: null, truncated: true });
  });

  test('ends a program at its time limit, with everything that it started', async () => {
    const error = await refusal(shell('sleep 1000 & echo $! > pid; wait', { timeout: 0.3 }));
    expect(error.variant).toBe('Timeout');
    await untilGone(Number(await workspace.read('pid')));
  });

  test('run_command kills a program that ignores SIGTERM', async () => {
    const error = await refusal(shell('trap "" TERM; echo $$ > pid; while :; do sleep 0.05; done', { timeout: 0.3 }));
    expect(error.variant).toBe('Timeout');
    await untilGone(Number(await workspace.read('pid')));
  });

  test('run_command returns when the program exits, even if a child holds its output open', async () => {
    const result = await shell('sleep 1000 & echo $! > pid; echo done');
    expect(result).toMatchObject({ exit_code: 0, stdout: 'done\n' });
    await untilGone(Number(await workspace.read('pid')));
  });

  test('run_command also ends a child that left the process group', async () => {
    const result = await shell('setsid sh -c "echo \\$\\$ > pid; exec sleep 1000" & while ! test -s pid; do :; done; echo done');
    expect(result).toMatchObject({ exit_code: 0, stdout: 'done\n' });
    await untilGone(Number(await workspace.read('pid')));
  });

  test('ends a daemon that left its process group, closed its output and started another', async () => {
    const daemon = 'setsid sh -c "setsid sleep 1000 & echo \\$! \\$\\$ > pids; exec sleep 1000" > /dev/null 2>&1 < /dev/null &';
    expect(await shell(`${daemon} while ! test -s pids; do :; done; echo done`)).toMatchObject({ exit_code: 0, stdout: 'done\n' });
    const pids = (await workspace.read('pids'))?.trim().split(' ') ?? [];
    expect(pids).toHaveLength(2);
    for (const pid of pids) await untilGone(Number(pid));
  });

  test('ends with the run', async () => {
    const controller = new AbortController();
    const ended = shell('echo $$ > pid; sleep 1000', {}, controller.signal).catch((error: unknown) => error);
    while (!(await workspace.read('pid'))) await new Promise((resolve) => setImmediate(resolve));
    controller.abort();
    const error = await ended;
    expect(error).toBeInstanceOf(FlowError);
    expect((error as FlowError).variant).toBe('Cancelled');
    await untilGone(Number(await workspace.read('pid')));
  });
});

describe('a program', () => {
  const plant = async (name: string) => {
    await workspace.write(name, '#!/bin/sh\ntouch planted\n');
    await chmod(workspace.path(name), 0o755);
  };

  test('is found on the fixed PATH only, wherever PATH leads', async () => {
    await plant('git');
    await plant('bin/git');
    const path = process.env.PATH;
    process.env.PATH = `.:${workspace.folder}:${workspace.path('bin')}:${path}`;
    try {
      expect((await run('git', ['--version'])).stdout).toMatch(/^git version/);
      expect(await readdir(workspace.folder)).not.toContain('planted');
    } finally {
      process.env.PATH = path;
    }
  });

  test('a command that is not installed fails with Missing', async () => {
    await plant('only-here');
    expect((await refusal(run('only-here'))).variant).toBe('Missing');
  });

  test('a command that no rule allows is not looked up', async () => {
    const error = await refusal(workspace.call(runCommandTool, { command: 'touch', args: ['made.txt'] }));
    expect(error.variant).toBe('ForbiddenCommand');
    // The call refuses by itself, whoever forgot to look first.
    const context = await workspace.context();
    expect((await refusal(Promise.resolve(runCommandTool.call({ command: 'touch', args: ['made.txt'] }, context)))).variant).toBe(
      'ForbiddenCommand',
    );
    expect(await readdir(workspace.folder)).toEqual([]);
  });

  test('of pravah.json is refused in a folder that is not trusted', async () => {
    await workspace.write('pravah.json', '{"commands":["touch"]}');
    const input = { command: 'touch', args: ['made.txt'] };
    expect((await refusal(workspace.call(runCommandTool, input, { trusted: false }))).variant).toBe('ForbiddenCommand');
    expect(await workspace.call(runCommandTool, input, { trusted: false, consented: true })).toMatchObject({ exit_code: 0 });
  });
});
