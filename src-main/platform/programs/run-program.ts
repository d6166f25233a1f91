import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { FlowError, ToolError } from '#shared/run/error.ts';
import { ProcessMark } from './marked-processes.ts';
import { ProcessGroup } from './process-group.ts';

export interface ProgramCall {
  /** Absolute path. */
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The complete environment of the child. */
  readonly env: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly timeoutMs: number;
  /** Maximum bytes of each output stream. */
  readonly outputBytes: number;
  readonly signal: AbortSignal;
  /** Whether to search for daemons that the program left behind, which takes a few milliseconds. */
  readonly killDaemons?: boolean;
}

export interface ProgramResult {
  /** `null` if the program was killed by a signal. */
  readonly exit_code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Whether output was dropped. */
  readonly truncated: boolean;
}

/** Milliseconds between SIGTERM and SIGKILL, and how long output may stay open after the program has ended. */
const graceMs = 1000;
/** A program that prints this many times the output limit is killed. */
const floodFactor = 64;

/**
 * Runs a program without a shell in its own process group, and kills what is left of the group when it ends. With `killDaemons`, also kills
 * processes that left the group, if they can be found (`marked-processes.ts`). Throws ToolError `Timeout`, FlowError `Cancelled`, and
 * ToolError `Io` if the program cannot be started.
 */
export function runProgram(call: ProgramCall): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    if (call.signal.aborted) return reject(cancelled(call));
    const mark = new ProcessMark();
    const child = started(call, mark);
    const group = new ProcessGroup(child);
    let failure: Error | null = null;
    let killTimer: NodeJS.Timeout | undefined;
    const end = (reason: Error | null) => {
      failure ??= reason;
      group.signal('SIGTERM');
      killTimer ??= setTimeout(() => group.signal('SIGKILL'), graceMs);
    };
    const stdout = new CappedOutput(child.stdout, call.outputBytes, () => end(null));
    const stderr = new CappedOutput(child.stderr, call.outputBytes, () => end(null));
    const timer = setTimeout(() => end(timedOut(call)), call.timeoutMs);
    const onAbort = () => end(cancelled(call));
    call.signal.addEventListener('abort', onAbort, { once: true });

    // A program may exit without reading its input.
    child.stdin.on('error', () => {});
    child.stdin.end(call.stdin ?? '');
    child.on('error', (error) => {
      finish();
      reject(new ToolError('Io', `Cannot start ${call.program}: ${error.message}`));
    });
    child.on('exit', () => {
      // Processes that the program left running may keep its output open.
      killTimer = rearm(killTimer, () => {
        group.signal('SIGKILL');
        child.stdout.destroy();
        child.stderr.destroy();
      });
    });
    child.on('close', async (code) => {
      finish();
      if (call.killDaemons) await mark.killAll();
      if (failure) reject(failure);
      else resolve({ exit_code: code, stdout: stdout.text(), stderr: stderr.text(), truncated: stdout.truncated || stderr.truncated });
    });

    function finish(): void {
      clearTimeout(timer);
      clearTimeout(killTimer);
      call.signal.removeEventListener('abort', onAbort);
      group.signal('SIGKILL');
    }
  });
}

function rearm(timer: NodeJS.Timeout | undefined, action: () => void): NodeJS.Timeout {
  clearTimeout(timer);
  return setTimeout(action, graceMs);
}

/** Collects the first bytes of a stream and drains the rest, so that the program does not block. */
class CappedOutput {
  truncated = false;
  private readonly chunks: Buffer[] = [];
  private seen = 0;

  constructor(stream: Readable, limit: number, onFlood: () => void) {
    stream.on('data', (chunk: Buffer) => {
      const room = Math.max(0, limit - this.seen);
      this.seen += chunk.length;
      if (chunk.length > room) this.truncated = true;
      if (room > 0) this.chunks.push(chunk.subarray(0, room));
      if (this.seen > limit * floodFactor) onFlood();
    });
    stream.on('error', () => {});
  }

  /** Decodes UTF-8: invalid bytes become U+FFFD, and a truncated character at the end is dropped. */
  text(): string {
    return new TextDecoder().decode(Buffer.concat(this.chunks), { stream: this.truncated });
  }
}

function timedOut(call: ProgramCall): ToolError {
  return new ToolError(
    'Timeout',
    `${call.program} did not finish within ${call.timeoutMs / 1000} s and was killed with all its processes.`,
  );
}

function cancelled(call: ProgramCall): FlowError {
  return new FlowError('Cancelled', `${call.program} was killed because the run was cancelled.`);
}

/** Starts the program. Throws ToolError `Io` if the system refuses, for example because the arguments are too long. */
function started(call: ProgramCall, mark: ProcessMark): ChildProcessByStdio<Writable, Readable, Readable> {
  try {
    return spawn(call.program, call.args, {
      cwd: call.cwd,
      env: mark.mark(call.env),
      detached: process.platform !== 'win32',
      windowsHide: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'E2BIG' ? 'its arguments are too long. Pass them through stdin or a file.' : message;
    throw new ToolError('Io', `Cannot start ${call.program}: ${why}`, { details: { code: code ?? '' } });
  }
}
