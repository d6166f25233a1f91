// The compiler behind the editor. It reads a body as the value of a constant whose type says what the node consumes and produces, and answers in
// positions of what the editor shows.
import { initialize, TypeScriptWorker } from 'monaco-editor/languages/features/typescript/ts.worker.js';
import { afterBody, beforeBody, declarationsOf, isBody, isDeclarations } from './body-file.ts';
import { shiftSpans } from './shift-spans.ts';

/** Language service methods with positions in their arguments: the indices of those arguments after the file name. */
const questions: Readonly<Record<string, readonly number[]>> = {
  getSyntacticDiagnostics: [],
  getSemanticDiagnostics: [],
  getSuggestionDiagnostics: [],
  getCompletionsAtPosition: [0],
  getCompletionEntryDetails: [0],
  getSignatureHelpItems: [0],
  getQuickInfoAtPosition: [0],
  getDocumentHighlights: [0],
  getDefinitionAtPosition: [0],
  getReferencesAtPosition: [0],
  getNavigationTree: [],
  getFormattingEditsForDocument: [],
  getFormattingEditsForRange: [0, 1],
  getFormattingEditsAfterKeystroke: [0],
  findRenameLocations: [0],
  getRenameInfo: [0],
  getCodeFixesAtPosition: [0, 1],
  provideInlayHints: [0, 1],
};

type Question = (fileName: string, ...args: unknown[]) => Promise<unknown>;

class BodyWorker extends TypeScriptWorker {
  override getScriptFileNames(): string[] {
    return super.getScriptFileNames().filter((name) => !isDeclarations(name));
  }

  override getScriptVersion(fileName: string): string {
    const own = super.getScriptVersion(fileName);
    return isBody(fileName) ? `${own} ${this.getExtraLibs()[declarationsOf(fileName)]?.version ?? 0}` : own;
  }

  override _getScriptText(fileName: string): string | undefined {
    const text = super._getScriptText(fileName);
    return text !== undefined && isBody(fileName) ? this.before(fileName) + text + afterBody : text;
  }

  override async getScriptText(fileName: string): Promise<string | undefined> {
    return super._getScriptText(fileName);
  }

  /** Length of the text in the editor. */
  shown(fileName: string): number {
    return super._getScriptText(fileName)?.length ?? 0;
  }

  before(fileName: string): string {
    const declarations = this.getExtraLibs()[declarationsOf(fileName)];
    return declarations ? beforeBody(declarations.content) : '';
  }
}

const ask: Readonly<Record<string, Question>> = Object.getPrototypeOf(BodyWorker.prototype);
for (const [name, positions] of Object.entries(questions)) {
  const answer = async function (this: BodyWorker, ...[fileName, ...args]: Parameters<Question>): ReturnType<Question> {
    const question = ask[name]?.bind(this) as Question;
    // Read-only code has no file around it, so it cannot be checked.
    if (!isBody(fileName)) return name.endsWith('Diagnostics') ? [] : question(fileName, ...args);
    const shift = this.before(fileName).length;
    const moved = args.map((arg, index) => (positions.includes(index) && typeof arg === 'number' ? arg + shift : arg));
    return shiftSpans(await question(fileName, ...moved), fileName, shift, this.shown(fileName));
  };
  Object.defineProperty(BodyWorker.prototype, name, { value: answer });
}

self.onmessage = () => initialize((ctx, createData) => new BodyWorker(ctx, createData));
