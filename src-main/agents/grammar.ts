import type { Step } from '#main/engine/step/step.ts';
import { FlowError } from '#shared/run/error.ts';

/** The GBNF of an agent's `output.grammar`, which is the text itself or `@NAME`. Throws `AgentError` `CONFIG_GRAMMAR_NOT_FOUND`. */
export async function grammarText({ ctx, node }: Step, grammar: string): Promise<string> {
  if (!grammar.startsWith('@')) return grammar;
  const name = grammar.slice(1);
  const text = await ctx.grammars?.(name);
  if (text !== undefined) return text;
  const message = `${node} uses the grammar @${name}, which does not exist. Add resources/grammars/${name}.gbnf to the folder, or pass it in createContext({ grammars }).`;
  throw new FlowError('AgentError', message, {
    node,
    code: 'CONFIG_GRAMMAR_NOT_FOUND',
    category: 'configuration',
    retryable: false,
    details: { grammar: name },
  });
}
