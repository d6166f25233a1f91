import type { PyValue } from './values.ts';

/** An operator with two operands, but for comparisons and `and`, `or`. */
export type BinaryOperator = '+' | '-' | '*' | '/' | '//' | '%' | '**' | '@' | '&' | '|' | '^' | '<<' | '>>';

/** An operator of a comparison chain. */
export type CompareOperator = '<' | '<=' | '>' | '>=' | '==' | '!=' | 'in' | 'not in' | 'is' | 'is not';

/** `for target in iterable if condition …`. */
export interface Clause {
  readonly target: Target;
  readonly iterable: Expression;
  readonly conditions: readonly Expression[];
  readonly isAsync: boolean;
}

/** What a comprehension assigns to. */
export type Target =
  | { readonly kind: 'name'; readonly id: string; readonly at: number }
  | {
      readonly kind: 'targets';
      readonly items: readonly Target[] /** Index of `*rest`, or -1. */;
      readonly starred: number;
      readonly at: number;
    };

/** The parameters of a lambda. */
export interface Parameters {
  readonly positional: readonly Parameter[];
  /** How many of `positional` stand before `/`. */
  readonly positionalOnly: number;
  readonly rest: string | undefined;
  readonly keywordOnly: readonly Parameter[];
  readonly keywords: string | undefined;
}

/** One parameter of a lambda. */
export interface Parameter {
  readonly name: string;
  readonly default: Expression | undefined;
}

/** A replacement field of an f-string. */
export interface FormatField {
  readonly value: Expression;
  readonly conversion: 'r' | 's' | 'a' | undefined;
  readonly spec: readonly (string | FormatField)[] | undefined;
}

/** A node of the tree; `at` is its offset in the text. */
export type Expression = { readonly at: number } & (
  | { readonly kind: 'constant'; readonly value: PyValue }
  | { readonly kind: 'name'; readonly id: string }
  | { readonly kind: 'binary'; readonly operator: BinaryOperator; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'unary'; readonly operator: '-' | '+' | '~' | 'not'; readonly operand: Expression }
  | { readonly kind: 'boolean'; readonly operator: 'and' | 'or'; readonly values: readonly Expression[] }
  | { readonly kind: 'compare'; readonly first: Expression; readonly rest: readonly { operator: CompareOperator; value: Expression }[] }
  | { readonly kind: 'conditional'; readonly test: Expression; readonly then: Expression; readonly otherwise: Expression }
  | { readonly kind: 'attribute'; readonly value: Expression; readonly name: string }
  | { readonly kind: 'subscript'; readonly value: Expression; readonly index: Expression }
  | { readonly kind: 'slice'; readonly start?: Expression; readonly stop?: Expression; readonly step?: Expression }
  | { readonly kind: 'call'; readonly callee: Expression; readonly args: readonly Expression[]; readonly keywords: readonly Keyword[] }
  | { readonly kind: 'starred'; readonly value: Expression }
  | { readonly kind: 'list' | 'tuple' | 'set'; readonly items: readonly Expression[] }
  | { readonly kind: 'dict'; readonly entries: readonly { key: Expression | undefined; value: Expression }[] }
  | {
      readonly kind: 'list-comprehension' | 'set-comprehension' | 'generator';
      readonly element: Expression;
      readonly clauses: readonly Clause[];
    }
  | { readonly kind: 'dict-comprehension'; readonly key: Expression; readonly element: Expression; readonly clauses: readonly Clause[] }
  | { readonly kind: 'lambda'; readonly parameters: Parameters; readonly body: Expression }
  | { readonly kind: 'walrus'; readonly id: string; readonly value: Expression }
  | { readonly kind: 'fstring'; readonly parts: readonly (string | FormatField)[] }
  | { readonly kind: 'await'; readonly value: Expression }
  | { readonly kind: 'yield'; readonly value: Expression | undefined; readonly from: boolean }
);

/** An argument with a name, or `**value` without one. */
export interface Keyword {
  readonly name: string | undefined;
  readonly value: Expression;
}
