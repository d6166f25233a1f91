import { beyond, syntaxError } from './problem.ts';
import type { Token } from './tokens.ts';
import type { Expression } from './tree.ts';

const keywords = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from global if import in is ' +
    'lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
);

/** How deep brackets, signs, lambdas and conditionals may be nested. */
const maxNesting = 400;

/** The rules that refer to each other. */
export interface Grammar {
  /** `a if b else c`, or a lambda, or less. */
  readonly expression: (stream: TokenStream) => Expression;
  /** `a or b`, or less. */
  readonly disjunction: (stream: TokenStream) => Expression;
  /** `a | b`, or less. */
  readonly bitwise: (stream: TokenStream) => Expression;
  /** `name := value`, or an expression. */
  readonly namedExpression: (stream: TokenStream) => Expression;
  /** `*value`, or a named expression. */
  readonly starredItem: (stream: TokenStream) => Expression;
}

/** The tokens of an expression, read one after the other. */
export class TokenStream {
  readonly grammar: Grammar;
  readonly #tokens: readonly Token[];
  readonly #text: string;
  #index = 0;
  #depth = 0;

  constructor(tokens: readonly Token[], text: string, grammar: Grammar) {
    this.grammar = grammar;
    this.#tokens = tokens;
    this.#text = text;
  }

  /** The next token. */
  get token(): Token {
    return this.#tokens[this.#index] as Token;
  }

  /** The next token's offset. */
  get at(): number {
    return this.token.at;
  }

  /** The token after the next one. */
  get following(): Token | undefined {
    return this.#tokens[this.#index + 1];
  }

  /** The text from an offset to the next token. */
  textFrom(begin: number): string {
    return this.#text.slice(begin, this.at);
  }

  /** Moves on, and returns the token that was next. */
  take(): Token {
    const token = this.token;
    this.#index++;
    return token;
  }

  /** True when the next token is this operator or keyword. */
  is(text: string): boolean {
    const { token } = this;
    return (token.kind === 'operator' || token.kind === 'name') && token.text === text;
  }

  /** Takes the operator or keyword if it is next. */
  accept(text: string): boolean {
    if (!this.is(text)) return false;
    this.#index++;
    return true;
  }

  /** Takes the operator or keyword. */
  expect(text: string): void {
    if (!this.accept(text)) throw this.unexpected();
  }

  /** Takes an identifier. */
  expectIdentifier(): string {
    const { token } = this;
    if (token.kind !== 'name' || keywords.has(token.text)) throw this.unexpected();
    this.#index++;
    return token.text;
  }

  /** True when the next token is an identifier. */
  get isIdentifier(): boolean {
    const { token } = this;
    return token.kind === 'name' && !keywords.has(token.text);
  }

  /** Returns the refusal of the next token. */
  unexpected(): Error {
    return syntaxError('invalid syntax', this.at);
  }

  /** Limits how deep `read` may call itself. */
  nested<T>(read: () => T): T {
    if (++this.#depth > maxNesting) throw beyond(`more than ${maxNesting} nested levels`, this.at);
    try {
      return read();
    } finally {
      this.#depth--;
    }
  }
}
