import { spawn } from 'node:child_process';

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  /** What it printed, errors included. */
  readonly output: string;
}

/** Runs a program to its end. */
export function run(file: string, args: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return new Promise((done, fail) => {
    const child = spawn(file, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    child.on('error', fail);
    child.on('close', (code) => done({ code, stdout, output }));
  });
}
