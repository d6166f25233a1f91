import { evaluateExpression } from '#main/engine/expression/evaluate-expression.ts';
import { parseExpression } from '#shared/flow/expression.ts';
import type { Json } from '#shared/json.ts';
import { builtInTool } from './built-in-tool.ts';
import { inputSchema } from './input-schema.ts';

export const conditionTool = builtInTool('condition', {
  description:
    'Evaluates an expression over literals, such as 7 > 5 && len("abc") == 3, and returns whether it is true. A value that is not a boolean follows Python truthiness.',
  input_schema: inputSchema({ expression: { type: 'string', minLength: 1, description: 'Expression to evaluate' } }, ['expression']),
  output_schema: {
    type: 'object',
    properties: { result: { type: 'boolean' }, error: { type: 'string' } },
    required: ['result'],
  },
  call: (input): Json => {
    const parsed = parseExpression(input.expression as string);
    if (!parsed.ok) return { result: false, error: `${parsed.fault.message} (line ${parsed.fault.line}, column ${parsed.fault.column})` };
    try {
      return { result: evaluateExpression({ type: 'call', name: 'bool', args: [parsed.expression] }, {}) };
    } catch (error) {
      return { result: false, error: (error as Error).message };
    }
  },
});
