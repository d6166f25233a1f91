import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Json } from '#shared/json.ts';
import type { RunEvent, RunEventOf } from '#shared/run/event.ts';

const program = fileURLToPath(new URL('../main.ts', import.meta.url));

/** What a command answered. */
export interface Answer {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder in which the real command line is run, each command in a process of its own. */
export class CommandFolder {
  readonly root: string;
  readonly folder: string;
  readonly #running = new Set<ChildProcess>();

  constructor() {
    this.root = realpathSync(mkdtempSync(join(tmpdir(), 'pravah-cli-')));
    this.folder = join(this.root, 'workspace');
    mkdirSync(this.folder);
  }

  write(name: string, content: string | Json): string {
    const path = join(this.folder, name);
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  }

  /** Starts a command without waiting for it. */
  start(...words: string[]): { readonly child: ChildProcess; readonly answer: Promise<Answer> } {
    return this.startWith(null, ...words);
  }

  /** The same, with a text on standard input. */
  startWith(input: string | null, ...words: string[]): { readonly child: ChildProcess; readonly answer: Promise<Answer> } {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, ...words], {
      cwd: this.folder,
      env: { ...process.env, PRAVAH_HOME: join(this.root, 'home'), NO_COLOR: '1' },
      stdio: [input === null ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      detached: true,
    }) as ChildProcessByStdio<Writable | null, Readable, Readable>;
    child.stdin?.end(input);
    this.#running.add(child);
    const answer = new Promise<Answer>((done) => {
      let stdout = '';
      let stderr = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        stdout += text;
      });
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        stderr += text;
      });
      child.on('close', (code, signal) => {
        this.#running.delete(child);
        done({ code, signal, stdout, stderr });
      });
    });
    return { child, answer };
  }

  run(...words: string[]): Promise<Answer> {
    return this.start(...words).answer;
  }

  /** Ends what still runs, and removes the folder. */
  async remove(): Promise<void> {
    for (const child of this.#running) killGroup(child);
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** Ends a command with everything that it has started, as a crash would. */
export function killGroup(child: ChildProcess): void {
  try {
    process.kill(-(child.pid as number), 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

/** The events that a command printed. */
export function eventsOf(answer: Answer): RunEvent[] {
  return answer.stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as RunEvent);
}

/** The last line of a command. */
export function endOf(answer: Answer): RunEventOf<'end_stream'> {
  const end = eventsOf(answer).at(-1);
  if (end?.type !== 'end_stream') throw new Error(`no end_stream: ${answer.stdout}\n${answer.stderr}`);
  return end;
}
