import ts from 'typescript';

/** Files in which a double cast (`as unknown as`) is allowed, how often, and why. Everywhere else product code has none. */
export const doubleCastsAllowed: readonly { readonly file: string; readonly times: number; readonly reason: string }[] = [
  { file: 'src-shared/json.ts', times: 2, reason: 'toJson and changeJson: their parameter types have checked the value' },
  { file: 'src-shared/flow/graph.ts', times: 1, reason: 'JSON text omits the functions of bodies in code' },
  { file: 'src-shared/flow/parse-flow.ts', times: 1, reason: 'the schema of documents found no problem' },
  { file: 'src-main/agents/call-model.ts', times: 1, reason: 'the response was validated before it was recorded' },
  { file: 'src-main/capsule/mask-capsule.ts', times: 1, reason: 'masking keeps the shapes of all values' },
  { file: 'src-main/journal/value-store.ts', times: 1, reason: 'validating every event again would take most of the time of a read' },
  { file: 'src-main/models/echoed-parts.ts', times: 1, reason: 'a vendor gets back what it sent, and validates it' },
  { file: 'src-main/models/llama/llama-engine.ts', times: 1, reason: "the library's type of a schema consists of literals" },
];

/** Files that may import by a path relative to their folder, and why. */
const relativeImportsAllowed: readonly { readonly folder: string; readonly reason: string }[] = [
  { folder: 'bench/peers/', reason: 'they are copied beside the lib/ of another harness before they run' },
];

/** Files and error classes whose messages need not be sentences, and why. */
export const fragmentsAllowed: readonly { readonly file?: string; readonly class?: string; readonly reason: string }[] = [
  { class: 'UsageError', reason: "may start with the command's name" },
  { class: 'InBandError', reason: 'the message says why an inference failed, inside a sentence' },
  { class: 'LlamaProcessError', reason: 'the first argument is a kind' },
  { class: 'PythonError', reason: 'a kind, and the message that Python itself has' },
  { class: 'NotJsonError', reason: 'says what a value contains, inside a sentence' },
  { class: 'ORPCError', reason: 'the first argument is a code' },
  { file: 'src-main/engine/values/linear-pattern.ts', reason: 'says why a pattern is refused, inside a sentence' },
  { file: 'src-main/mcp/limited-fetch.ts', reason: 'says why a server failed, inside a sentence' },
  { file: 'src-main/platform/files/anchored-folder.ts', reason: 'a file system failure, which is put into a sentence by its code' },
  { file: 'src-main/platform/files/resolve-path.ts', reason: 'a file system failure, which is put into a sentence by its code' },
  { file: 'src-main/workspace/pravah-folder.ts', reason: 'a file system failure, which is put into a sentence by its code' },
  { file: 'src-main/tools/scrape/page-bounds.ts', reason: 'says why a page cannot be read, inside a sentence' },
  { file: 'src-main/tools/scrape/page-tree.ts', reason: 'says why a page cannot be read, inside a sentence' },
  { file: 'src-main/tools/scrape/read-page.ts', reason: 'says why a page cannot be read, inside a sentence' },
  { file: 'src-main/tools/transform.ts', reason: 'says why an expression failed, inside a sentence' },
  { file: 'src-main/workspace-code/child/describe-flow.ts', reason: 'says why a file cannot be loaded, inside a sentence' },
  { file: 'src-main/workspace-code/child/loading.ts', reason: 'says why a file cannot be loaded, inside a sentence' },
  { file: 'src-main/workspace-code/child/workspace-tool.ts', reason: 'says why a file cannot be loaded, inside a sentence' },
];

/** Broken rules in a source file's text, as `FILE:LINE: MESSAGE`. */
export function brokenRules(file: string, text: string): readonly string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const broken: string[] = [];
  let casts = 0;
  const report = (node: ts.Node, message: string) =>
    broken.push(`${file}:${source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1}: ${message}`);
  const allowedCasts = doubleCastsAllowed.find((allowed) => allowed.file === file)?.times ?? 0;
  const visit = (node: ts.Node): void => {
    if (isProduct(file) && isDoubleCast(node)) {
      casts += 1;
      if (casts > allowedCasts) report(node, '“as unknown as”; use toJson, or a validator that returns the type');
    }
    const specifier = importedPath(node);
    const wrongImport = specifier === undefined ? null : importFault(file, specifier);
    if (wrongImport) report(node, wrongImport);
    if (isProduct(file) && ts.isNewExpression(node) && !mayBeFragment(file, node)) {
      for (const part of errorTexts(node)) reportSentence(part, report);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  if (/^src-/.test(file))
    for (const constant of screamingConstants(source)) report(constant, `“${constant.text}”; write constants in camelCase`);
  return broken;
}

/** Whether a file is part of the product, as opposed to its tests and their helpers. */
export const isProduct = (file: string): boolean =>
  /^src-/.test(file) && !/\.(?:test|type-test)\.tsx?$|\/testing\/|\/testing\.ts$/.test(file);

function isDoubleCast(node: ts.Node): boolean {
  if (!ts.isAsExpression(node)) return false;
  let inner = node.expression;
  while (ts.isParenthesizedExpression(inner)) inner = inner.expression;
  return ts.isAsExpression(inner) && [ts.SyntaxKind.UnknownKeyword, ts.SyntaxKind.NeverKeyword].includes(inner.type.kind);
}

/** The path in `import … from`, `export … from`, `import()` and `import('…')` types. */
function importedPath(node: ts.Node): string | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return literal(node.moduleSpecifier);
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return literal(node.argument.literal);
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) return literal(node.arguments[0]);
  return undefined;
}

const literal = (node: ts.Node | undefined): string | undefined => (node && ts.isStringLiteralLike(node) ? node.text : undefined);

function importFault(file: string, path: string): string | null {
  if (relativeImportsAllowed.some(({ folder }) => file.startsWith(folder))) return null;
  if (path.startsWith('../')) return `“${path}”; import from other folders through an alias (#main/, #shared/, …)`;
  if (/^src-/.test(file) && /^\.\/[^/]+\//.test(path)) return `“${path}”; import from subfolders through the alias`;
  return null;
}

/** Names of module-level constants in capitals. One capital is a name of its own, such as a state `A`. */
function screamingConstants(source: ts.SourceFile): ts.Identifier[] {
  const constants = source.statements.filter(ts.isVariableStatement).flatMap(({ declarationList }) => [...declarationList.declarations]);
  return constants
    .map(({ name }) => name)
    .filter(
      (name): name is ts.Identifier => ts.isIdentifier(name) && /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/.test(name.text) && name.text.length > 1,
    );
}

/** A text that is written into an error: its beginning and end where they are literal. */
interface ErrorText {
  readonly node: ts.Node;
  readonly start: string | null;
  readonly end: string | null;
}

const mayBeFragment = (file: string, { expression }: ts.NewExpression): boolean =>
  fragmentsAllowed.some((allowed) => allowed.file === file || (ts.isIdentifier(expression) && allowed.class === expression.text));

/** The literal texts of `new FlowError(variant, message)`, `new ToolError(variant, message)` and `new …Error(message)`. */
function errorTexts({ expression, arguments: given }: ts.NewExpression): readonly ErrorText[] {
  if (!given || !ts.isIdentifier(expression) || !/Error$/.test(expression.text)) return [];
  const message = ['FlowError', 'ToolError'].includes(expression.text) ? given[1] : given[0];
  return message ? textsOf(message) : [];
}

function textsOf(node: ts.Expression): readonly ErrorText[] {
  if (ts.isStringLiteralLike(node)) return [{ node, start: node.text, end: node.text }];
  if (ts.isTemplateExpression(node)) return [{ node, start: node.head.text || null, end: node.templateSpans.at(-1)?.literal.text || null }];
  if (ts.isConditionalExpression(node)) return [...textsOf(node.whenTrue), ...textsOf(node.whenFalse)];
  if (ts.isParenthesizedExpression(node)) return textsOf(node.expression);
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const [first] = textsOf(node.left);
    const last = textsOf(node.right).at(-1);
    return [{ node, start: first?.start ?? null, end: last?.end ?? null }];
  }
  return [];
}

function reportSentence({ node, start, end }: ErrorText, report: (node: ts.Node, message: string) => void): void {
  // A name from code, such as `callAgent` or `params.options`, keeps its case.
  if (start !== null && /^\p{Ll}/u.test(start) && !/^[a-z]+[A-Z._]\w/.test(start))
    report(node, `“${start}”; an error starts with a capital`);
  if (end !== null && !/[.!?…][)”"]?$/.test(end)) report(node, `“${end}”; an error ends with a full stop`);
}
