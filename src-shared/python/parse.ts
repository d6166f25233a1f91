import { checkTree } from './check-tree.ts';
import { compile, type Program } from './compile.ts';
import { grammar } from './parse-expression.ts';
import { beyond, type PythonProblem, PythonRefusal, syntaxError } from './problem.ts';
import { TokenStream } from './token-stream.ts';
import { tokenize } from './tokens.ts';
import type { Expression } from './tree.ts';
import { isDeeperThan } from './tree-depth.ts';

/** How many levels a tree may have. Evaluation uses a few stack frames for each. */
const maxDepth = 600;

/** An expression that can be evaluated, any number of times. */
export interface PythonExpression {
  readonly text: string;
  readonly program: Program;
}

/** One expression, or several without brackets: no `*` and no `:=` outside of brackets. */
function parseTop(stream: TokenStream): Expression {
  const { at } = stream;
  const items = [stream.grammar.expression(stream)];
  if (!stream.is(',')) return items[0] as Expression;
  while (stream.accept(',') && stream.token.kind !== 'end') items.push(stream.grammar.expression(stream));
  return { kind: 'tuple', items, at };
}

/** Reads a Python expression. Refuses what is invalid, what PyFlow's sandbox forbids, and what this interpreter does not take. */
export function parsePython(text: string): { readonly expression: PythonExpression } | { readonly problem: PythonProblem } {
  try {
    const source = text.replace(/\r\n?/g, '\n');
    if (!source.isWellFormed()) throw syntaxError("'utf-8' codec can't encode surrogates", 0);
    const stream = new TokenStream(tokenize(source), source, grammar);
    const tree = parseTop(stream);
    if (stream.token.kind !== 'end') throw stream.unexpected();
    if (isDeeperThan(tree, maxDepth)) throw beyond(`a chain or nesting of more than ${maxDepth} operators`, 0);
    const lateError = checkTree(tree);
    return { expression: { text, program: compile(tree, lateError) } };
  } catch (error) {
    if (error instanceof PythonRefusal) return { problem: error.problem };
    throw error;
  }
}
