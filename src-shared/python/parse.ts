import { compile, type Program } from './compile.ts';
import { parseTree } from './parse-tree.ts';
import type { PythonProblem } from './problem.ts';

/** An expression that can be evaluated, any number of times. */
export interface PythonExpression {
  readonly text: string;
  readonly program: Program;
}

/** Reads a Python expression for evaluation. Refuses what `parseTree` refuses, which checks use: it loads no evaluator. */
export function parsePython(text: string): { readonly expression: PythonExpression } | { readonly problem: PythonProblem } {
  const parsed = parseTree(text);
  return 'problem' in parsed ? parsed : { expression: { text, program: compile(parsed.tree, parsed.lateError) } };
}
