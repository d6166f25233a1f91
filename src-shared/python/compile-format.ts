import { countOperations, countText } from './budget.ts';
import type { Compile, Evaluate } from './compile.ts';
import { convert } from './convert.ts';
import { formatValue } from './format-value.ts';
import type { Frame } from './frame.ts';
import type { Scope } from './scope.ts';
import type { FormatField } from './tree.ts';

type Part = (frame: Frame) => string;

/** Compiles an f-string. */
export function compileFormat(parts: readonly (string | FormatField)[], scope: Scope, compile: Compile): Evaluate {
  const compiled = parts.map((part): Part => (typeof part === 'string' ? () => part : compileField(part, scope, compile)));
  return (frame) => {
    countOperations(compiled.length);
    const text = compiled.map((part) => part(frame)).join('');
    countText(text.length);
    return text;
  };
}

function compileField({ value, conversion, spec }: FormatField, scope: Scope, compile: Compile): Part {
  const evaluate = compile(value, scope);
  const specText = spec && compileFormat(spec, scope, compile);
  return (frame) => {
    const result = convert(evaluate(frame), conversion);
    return formatValue(result, specText ? (specText(frame) as string) : '');
  };
}
