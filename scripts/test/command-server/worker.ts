// Runs commands one after the other in one process, as the command line does in a process each.
import { runCommandLine } from '#main/hosts/cli/command-line/command-line.ts';
import type { CommandAnswer, CommandRequest } from './server.ts';

/** Collects what is written to a stream while a command runs. */
function capture(stream: NodeJS.WriteStream): () => string {
  const chunks: Uint8Array[] = [];
  const write = stream.write;
  stream.write = (chunk: Uint8Array | string) => {
    chunks.push(Buffer.from(chunk as string));
    return true;
  };
  return () => {
    stream.write = write;
    // Each command adds one.
    stream.removeAllListeners('error');
    return Buffer.concat(chunks).toString();
  };
}

process.on('message', async ({ words, folder }: CommandRequest) => {
  process.chdir(folder);
  const [stdout, stderr] = [capture(process.stdout), capture(process.stderr)];
  const code = await runCommandLine(words);
  process.send?.({ code, stdout: stdout(), stderr: stderr() } satisfies CommandAnswer);
});
process.on('disconnect', () => process.exit());
