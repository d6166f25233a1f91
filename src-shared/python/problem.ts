/** Why a text is refused: `bad_expr` is invalid or forbidden in PyFlow too, `python_beyond` only Python itself can do. */
export interface PythonProblem {
  readonly code: 'bad_expr' | 'python_beyond';
  readonly message: string;
  /** Offset in the text, in UTF-16 units. */
  readonly offset: number;
}

/** Thrown while a text is read; `parsePython` returns its problem. */
export class PythonRefusal extends Error {
  readonly problem: PythonProblem;

  constructor(problem: PythonProblem) {
    super(problem.message);
    this.name = 'PythonRefusal';
    this.problem = problem;
  }
}

/** Returns the refusal of invalid Python. `why` is Python's own wording where there is one. */
export const syntaxError = (why: string, offset: number): PythonRefusal =>
  new PythonRefusal({ code: 'bad_expr', message: `The expression is not valid Python: ${why}.`, offset });

/** Returns the refusal of what PyFlow's sandbox forbids. */
export const forbidden = (why: string, offset: number): PythonRefusal =>
  new PythonRefusal({ code: 'bad_expr', message: `The expression is not allowed: ${why}.`, offset });

/** Returns the refusal of valid Python that this interpreter does not take. */
export const beyond = (construct: string, offset: number): PythonRefusal =>
  new PythonRefusal({
    code: 'python_beyond',
    message: `The expression uses ${construct}, which is not supported here. Make it a code agent.`,
    offset,
  });
