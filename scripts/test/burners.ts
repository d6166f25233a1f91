import { type ChildProcess, spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Computes without end, until the process that started it is gone. */
const PROGRAM = `
const parent = process.ppid;
while (process.ppid === parent) for (let count = 0; count < 1e8; count++);
`;

/** Keeps every core that this process may use busy, until the block that holds it ends. */
export function startBurners(): Disposable {
  const burners: ChildProcess[] = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ['-e', PROGRAM], { stdio: 'ignore' }),
  );
  return {
    [Symbol.dispose]: () => {
      for (const burner of burners) burner.kill('SIGKILL');
    },
  };
}
