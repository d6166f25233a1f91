import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { FlowError, ToolError } from '#shared/runtime/error.ts';
import { ProcessMark } from './marked-processes.ts';

export interface ProgramCall {
  /** Absolute path. */
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment of the child. */
  readonly env: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly timeoutMs: number;
  /** Bytes kept of each output stream. */
  readonly outputBytes: number;
  readonly signal: AbortSignal;
  /** Whether to look for daemons that the program leaves, which costs some milliseconds. */
  readonly killDaemons?: boolean;
}

export interface ProgramResult {
  /** `null` when a signal ended the program. */
  readonly exit_code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** True when more was printed than is kept. */
  readonly truncated: boolean;
}

/** How long a program that was told to end has before it is killed, and how long its output may stay open after it has ended. */
const GRACE_MS = 1000;
/** A program that prints this many times what is kept is ended: nobody will read it. */
const FLOOD = 64;

/**
 * Runs a program without a shell, in a process group of its own; when it is over, nothing of the group is left. With `killDaemons`, nothing
 * that left the group is either, where it can be found (`marked-processes.ts`). Throws ToolError `Timeout`, FlowError `Cancelled`, and ToolError `Io` when it cannot be started.
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
      killTimer ??= setTimeout(() => group.signal('SIGKILL'), GRACE_MS);
    };
    const stdout = new CappedOutput(child.stdout, call.outputBytes, () => end(null));
    const stderr = new CappedOutput(child.stderr, call.outputBytes, () => end(null));
    const timer = setTimeout(() => end(timedOut(call)), call.timeoutMs);
    const onAbort = () => end(cancelled(call));
    call.signal.addEventListener('abort', onAbort, { once: true });

    // A program may end without reading its input.
    child.stdin.on('error', () => {});
    child.stdin.end(call.stdin ?? '');
    child.on('error', (error) => {
      finish();
      reject(new ToolError('Io', `${call.program} cannot be started: ${error.message}`));
    });
    child.on('exit', () => {
      // What the program left running may hold its output open for ever.
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
  return setTimeout(action, GRACE_MS);
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** The child and everything it started that did not leave its process group. */
class ProcessGroup {
  private readonly child: Child;

  constructor(child: Child) {
    this.child = child;
  }

  signal(name: NodeJS.Signals): void {
    const { pid } = this.child;
    if (pid === undefined) return;
    try {
      if (process.platform === 'win32') this.child.kill(name);
      else process.kill(-pid, name);
    } catch {
      // The group has ended already.
    }
  }
}

/** The first bytes of a stream; the rest is drained, so that the program does not hang, and dropped. */
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
      if (this.seen > limit * FLOOD) onFlood();
    });
    stream.on('error', () => {});
  }

  /** As UTF-8; what is none becomes U+FFFD, and a character cut in half at the end is dropped. */
  text(): string {
    return new TextDecoder().decode(Buffer.concat(this.chunks), { stream: this.truncated });
  }
}

function timedOut(call: ProgramCall): ToolError {
  return new ToolError('Timeout', `${call.program} did not end within ${call.timeoutMs / 1000} s and was ended, with its processes`);
}

function cancelled(call: ProgramCall): FlowError {
  return new FlowError('Cancelled', `${call.program} was ended because the run was cancelled`);
}

/** Starts the program. Throws ToolError `Io` where the system refuses to, as it does for too many or too long arguments. */
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
    const why = code === 'E2BIG' ? 'its arguments are longer than the system takes; hand them over by stdin or a file' : message;
    throw new ToolError('Io', `${call.program} cannot be started: ${why}`, { details: { code: code ?? '' } });
  }
}
