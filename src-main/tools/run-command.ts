import { hardenGit } from '#main/platform/git/harden-git.ts';
import { minimalEnvironment } from '#main/platform/programs/environment.ts';
import { findProgram } from '#main/platform/programs/find-program.ts';
import { runProgram } from '#main/platform/programs/run-program.ts';
import { builtInTool } from './built-in-tool.ts';
import { checkCommand, hasPinnedArguments } from './command-rules.ts';
import { inputSchema } from './input-schema.ts';

const defaultSeconds = 60;
const mostSeconds = 600;
/** Maximum bytes of each output stream. */
const maxOutputBytes = 1024 * 1024;

export const runCommandTool = builtInTool('run_command', {
  description: `Runs a program that the workspace allows, in the working folder and without a shell. Kills it after \`timeout\` seconds (default ${defaultSeconds}).`,
  input_schema: inputSchema(
    {
      command: { type: 'string', description: 'Program name, without path separators' },
      args: { type: 'array', items: { type: 'string' }, description: 'Arguments, one per item, passed to the program unchanged' },
      stdin: { type: 'string', description: 'Standard input of the program' },
      timeout: { type: 'number', exclusiveMinimum: 0, maximum: mostSeconds, description: 'Seconds' },
    },
    ['command'],
  ),
  output_schema: {
    type: 'object',
    properties: {
      exit_code: { type: ['integer', 'null'] },
      stdout: { type: 'string' },
      stderr: { type: 'string' },
      truncated: { type: 'boolean' },
    },
    required: ['exit_code', 'stdout', 'stderr', 'truncated'],
  },
  admit: async (input, ctx) => {
    const command = input.command as string;
    const args = (input.args as string[] | undefined) ?? [];
    checkCommand(ctx, command, args);
    return hasPinnedArguments(ctx.commands, command, args) ? 'pinned' : 'never';
  },
  call: async (input, ctx) => {
    const command = input.command as string;
    const args = (input.args as string[] | undefined) ?? [];
    checkCommand(ctx, command, args);
    const program = await findProgram(command, ctx.working_dir);
    const plain = { program, args, cwd: ctx.working_dir, env: minimalEnvironment(), signal: ctx.signal };
    const result = await runProgram({
      ...(command === 'git' ? await hardenGit(plain, ctx) : plain),
      stdin: input.stdin as string | undefined,
      timeoutMs: ((input.timeout as number | undefined) ?? defaultSeconds) * 1000,
      outputBytes: maxOutputBytes,
      killDaemons: true,
    });
    return { ...result };
  },
});
