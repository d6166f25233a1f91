import { checkTree } from './check-tree.ts';
import { grammar } from './parse-expression.ts';
import { beyond, type PythonProblem, PythonRefusal, syntaxError } from './problem.ts';
import { TokenStream } from './token-stream.ts';
import { tokenize } from './tokens.ts';
import type { Expression } from './tree.ts';
import { isDeeperThan } from './tree-depth.ts';

/** How many levels a tree may have. Evaluation uses a few stack frames for each. */
const maxDepth = 600;

/** A valid expression, and the error that Python raises when it compiles it, if any. */
export interface ParsedTree {
  readonly tree: Expression;
  readonly lateError: ReturnType<typeof checkTree>;
}

/** One expression, or several without brackets: no `*` and no `:=` outside of brackets. */
function parseTop(stream: TokenStream): Expression {
  const { at } = stream;
  const items = [stream.grammar.expression(stream)];
  if (!stream.is(',')) return items[0] as Expression;
  while (stream.accept(',') && stream.token.kind !== 'end') items.push(stream.grammar.expression(stream));
  return { kind: 'tuple', items, at };
}

/**
 * Reads a Python expression without preparing it for evaluation. Refuses what is invalid, what PyFlow's sandbox forbids, and what this interpreter does not
 * take.
 */
export function parseTree(text: string): ParsedTree | { readonly problem: PythonProblem } {
  try {
    const source = text.replace(/\r\n?/g, '\n');
    if (!source.isWellFormed()) throw syntaxError("'utf-8' codec can't encode surrogates", 0);
    const stream = new TokenStream(tokenize(source), source, grammar);
    const tree = parseTop(stream);
    if (stream.token.kind !== 'end') throw stream.unexpected();
    if (isDeeperThan(tree, maxDepth)) throw beyond(`a chain or nesting of more than ${maxDepth} operators`, 0);
    return { tree, lateError: checkTree(tree) };
  } catch (error) {
    if (error instanceof PythonRefusal) return { problem: error.problem };
    throw error;
  }
}
