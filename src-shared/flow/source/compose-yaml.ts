import { Composer, type Document, Lexer, Parser } from 'yaml';

/** Lexical tokens of a document. A flow of 10,000 nodes has a fraction of them; four million characters can be six times as many, and gigabytes. */
const maxTokens = 1_000_000;

export type ComposedYaml =
  | { readonly ok: true; readonly document: Document.Parsed | null }
  | { readonly ok: false; readonly message: string; readonly position: number };

/** What the library reports an error at: a position, a range, or a token. */
type ErrorSource = number | readonly [number, number] | { readonly offset: number };

class Stop extends Error {
  readonly position: number;

  constructor(message: string, position: number) {
    super(message);
    this.position = position;
  }
}

/**
 * Composes the one document of a YAML text and stops at the first error or warning: the library's own `parseDocument` would collect millions of
 * them. Throws `RangeError` if the text is nested too deeply.
 */
export function composeYaml(text: string): ComposedYaml {
  try {
    return { ok: true, document: compose(text) };
  } catch (error) {
    if (error instanceof Stop) return { ok: false, message: error.message, position: error.position };
    throw error;
  }
}

function compose(text: string): Document.Parsed | null {
  const parser = new Parser();
  const composer = stoppingComposer();
  let document: Document.Parsed | null = null;
  const take = (tokens: ReturnType<Parser['next']>) => {
    for (const token of tokens) {
      if (token.type === 'error') throw new Stop(token.message, token.offset);
      for (const next of composer.next(token)) document = single(document, next);
    }
  };
  let count = 0;
  for (const lexeme of new Lexer().lex(text)) {
    count += 1;
    if (count > maxTokens) throw new Stop(`the document has more than ${maxTokens} tokens; use nested flows`, text.length);
    take(parser.next(lexeme));
  }
  take(parser.end());
  for (const next of composer.end(true, text.length)) document = single(document, next);
  return document;
}

function single(document: Document.Parsed | null, next: Document.Parsed): Document.Parsed {
  if (document)
    throw new Stop('the file contains several documents, but a flow is a single one; remove everything from this line on', next.range[0]);
  return next;
}

function stoppingComposer(): Composer {
  const composer = new Composer({
    version: '1.2',
    schema: 'core',
    prettyErrors: false,
    uniqueKeys: false,
    strict: true,
    logLevel: 'error',
  });
  let first: Stop | undefined;
  // The library has no other way to stop: every error passes here. It catches what is thrown while a node is composed, and reports that here too.
  Reflect.set(composer, 'onError', (source: ErrorSource, _code: string, message: string) => {
    first ??= new Stop(message, positionOf(source));
    throw first;
  });
  return composer;
}

function positionOf(source: ErrorSource): number {
  if (typeof source === 'number') return source;
  return 'offset' in source ? source.offset : source[0];
}
