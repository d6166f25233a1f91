import type { JSONPathEnvironment, JSONValue } from 'json-p3';
import type { RE2JS } from 're2js';
import { compileLinear } from '#main/engine/values/linear-pattern.ts';
import { optionalPackage } from '#main/platform/optional-package.ts';
import { isJsonObject, type Json } from '#shared/json.ts';
import { builtInTool } from './built-in-tool.ts';
import { inputSchema } from './input-schema.ts';

const longestExpression = 2000;
const deepestNesting = 500;
/** Maximum number of values that a query may visit, to stop queries like `$..*..*..*` early. */
const mostVisited = 1_000_000;

export const transformTool = builtInTool('transform', {
  description:
    'Extracts values from JSON with a JSONPath expression (RFC 9535), such as $.items[?@.price > 10].id. Returns the value for one match, a list for several, null for none.',
  input_schema: inputSchema(
    {
      input_data: { description: 'JSON, as a value or as text' },
      expression: { type: 'string', minLength: 1, maxLength: longestExpression, description: 'JSONPath' },
    },
    ['input_data', 'expression'],
  ),
  output_schema: { type: 'object', properties: { result: {}, error: { type: 'string' } }, required: ['result'] },
  call: async (input): Promise<Json> => {
    try {
      const data = input.input_data as Json;
      const found = await extract(typeof data === 'string' ? parse(data) : data, input.expression as string);
      const values = found.map(({ value }) => value);
      const output = { result: values.length > 1 ? values : (values[0] ?? null) };
      locations.set(
        output,
        found.map(({ location }) => location),
      );
      return output;
    } catch (error) {
      return {
        result: null,
        error: error instanceof RangeError ? 'the expression or the data is nested too deeply' : (error as Error).message,
      };
    }
  },
});

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    throw new Error(`input_data is not JSON: ${(error as Error).message}`);
  }
}

type Location = readonly (string | number)[];

const locations = new WeakMap<object, readonly Location[]>();

/** Where in its data a result of `transform` was found, a location for each match. Known for the very object that the tool returned. */
export function matchLocations(output: object): readonly Location[] {
  return locations.get(output) ?? [];
}

async function extract(data: Json, expression: string): Promise<{ readonly value: Json; readonly location: Location }[]> {
  const budget = new Budget();
  const made = await environment(budget);
  const found = [...made.query(expression, budget.watch(data) as JSONValue)];
  return found.map(({ value, location }) => ({ value: budget.copy(value as Json), location }));
}

/** An environment whose `match` and `search` run in linear time, using RE2 instead of JavaScript's backtracking. */
async function environment(budget: Budget): Promise<JSONPathEnvironment> {
  const [{ FunctionExpressionType, JSONPathEnvironment }, { RE2JS: engine }] = await Promise.all([
    optionalPackage('json-p3', 'the tool transform', () => import('json-p3')),
    import('re2js'),
  ]);
  const made = new JSONPathEnvironment({ maxRecursionDepth: deepestNesting });
  const register = (name: string, holds: (pattern: RE2JS, text: string) => boolean) =>
    made.functionRegister.set(name, {
      argTypes: [FunctionExpressionType.ValueType, FunctionExpressionType.ValueType],
      returnType: FunctionExpressionType.LogicalType,
      call: (text: unknown, pattern: unknown) => {
        if (typeof text !== 'string' || typeof pattern !== 'string') return false;
        budget.spend(1 + text.length / 16);
        const compiled = compileIRegexp(engine, pattern);
        return compiled !== null && holds(compiled, text);
      },
    });
  register('match', (pattern, text) => pattern.matches(text));
  register('search', (pattern, text) => pattern.matcher(text).find());
  return made;
}

/** Converts an I-Regexp (RFC 9485) to RE2: its dot matches no line end. Null for a malformed one, which matches nothing (RFC 9535). */
function compileIRegexp(engine: typeof RE2JS, pattern: string): RE2JS | null {
  try {
    return compileLinear(
      engine,
      pattern.replace(/\\.|\[(?:\\.|[^\]])*\]|\./gs, (part) => (part === '.' ? '[^\\n\\r]' : part)),
    );
  } catch {
    return null;
  }
}

/** Counts the values that a query visits. The library has no such limit, so it gets data that count each access. */
class Budget {
  private left = mostVisited;

  spend(cost: number): void {
    this.left -= cost;
    if (this.left < 0) throw new Error('the expression visits too many values; make it more specific');
  }

  watch(value: Json): Json {
    this.spend(1);
    if (Array.isArray(value)) {
      const items = value.map((item) => this.watch(item));
      return new Proxy(items, {
        get: (target, key) => {
          this.spend(1);
          return Reflect.get(target, key);
        },
      });
    }
    if (!isJsonObject(value)) return value;
    const fields = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.watch(item)]));
    return new Proxy(fields, {
      ownKeys: (target) => {
        const keys = Reflect.ownKeys(target);
        this.spend(1 + keys.length);
        return keys;
      },
    });
  }

  copy(value: Json): Json {
    this.spend(1);
    if (Array.isArray(value)) return value.map((item) => this.copy(item));
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.copy(item)]));
  }
}
