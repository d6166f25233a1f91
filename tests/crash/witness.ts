import { appendFileSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { WitnessAnswer, WitnessRequest } from './witness-client.ts';

/**
 * The world outside of the runs, as a process of its own: `node witness.ts LOG`. What it is asked to do it appends to its log, one line each
 * (`what number`), and answers with the line's number. It kills who asks, as it was told to: when a request arrives (the effect is under way),
 * or when its answer is out (the effect has ended). Prints its port; ends with its standard input.
 */
const [log = ''] = process.argv.slice(2);
writeFileSync(log, '');
const done = new Map<string, number>();
let count = 0;

const server = createServer((socket) => {
  socket.setNoDelay(true);
  const lines = createInterface({ input: socket });
  lines.on('line', (line) => serve(socket, JSON.parse(line) as WitnessRequest));
  // Who was killed leaves its connection as it is.
  lines.on('error', () => socket.destroy());
  socket.on('error', () => socket.destroy());
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${typeof address === 'object' ? address?.port : ''}\n`);
});
process.stdin.resume().on('end', () => process.exit(0));

function serve(socket: Socket, { id, type, what, kill }: WitnessRequest): void {
  if (type === 'look') {
    answer(socket, { id, number: done.get(what) ?? null });
    return;
  }
  count += 1;
  done.set(what, count);
  appendFileSync(log, `${what} ${count}\n`);
  if (kill?.when === 'under way') {
    process.kill(kill.pid, 'SIGKILL');
    return;
  }
  answer(socket, { id, number: count });
  if (kill) {
    // So short a time cannot be waited for otherwise.
    const end = performance.now() + kill.after_ms;
    while (performance.now() < end);
    process.kill(kill.pid, 'SIGKILL');
  }
}

function answer(socket: Socket, reply: WitnessAnswer): void {
  socket.write(`${JSON.stringify(reply)}\n`);
}
