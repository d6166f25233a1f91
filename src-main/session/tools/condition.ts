import type { Tool } from '#main/engine/ports/tool.ts';
import type { Json } from '#shared/json.ts';
import { evaluatePython, PythonError, PythonStop, parsePython } from '#shared/python/index.ts';
import { isTrue } from '#shared/python/truth.ts';

/** The tool `condition` with PyFlow's language: a Python expression. */
export function conditionAsPython(tool: Tool): Tool {
  return {
    ...tool,
    description:
      'Evaluates a boolean Python expression safely, such as 1 + 1 == 2 and not False. Returns {"result": true} or {"result": false}.',
    input_schema: {
      type: 'object',
      properties: { expression: { type: 'string', description: 'Python expression to evaluate' } },
      required: ['expression'],
    },
    output_schema: { type: 'object', properties: { result: { type: 'boolean' }, error: { type: 'string' } }, required: ['result'] },
    call: (input): Json => evaluate(input.expression as string),
  };
}

function evaluate(source: string): Json {
  const parsed = parsePython(source);
  if ('problem' in parsed) return { result: false, error: asPython(parsed.problem.message) };
  try {
    return { result: isTrue(evaluatePython(parsed.expression, new Map())) };
  } catch (error) {
    if (error instanceof PythonError) return { result: false, error: `Evaluation error: ${error.message}` };
    if (error instanceof PythonStop) return { result: false, error: error.message };
    throw error;
  }
}

/** What Python's parser or PyFlow's sandbox says where our interpreter refuses an expression. */
function asPython(message: string): string {
  const [, what, name] = /^The expression is not allowed: (call|access) to '(.*)'\.$/s.exec(message) ?? [];
  if (what !== undefined) return `${what === 'call' ? 'Call' : 'Access'} to '${name}' is not allowed`;
  const [, why] = /^The expression is not valid Python: (.*)\.$/s.exec(message) ?? [];
  return why === undefined ? message : `${why} (<unknown>, line 1)`;
}
