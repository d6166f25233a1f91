import { runCommandLine } from '#main/hosts/cli/command-line.ts';

// Meant for this process only, not for the commands that tools run.
delete process.env.NODE_COMPILE_CACHE;

process.exitCode = await runCommandLine(process.argv.slice(2));
