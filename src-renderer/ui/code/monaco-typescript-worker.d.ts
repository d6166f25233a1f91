// Of the editor's TypeScript worker, which comes without types, what our own is made from.
declare module 'monaco-editor/languages/features/typescript/ts.worker.js' {
  interface WorkerContext {
    getMirrorModels(): readonly {
      readonly uri: { toString(skipEncoding?: boolean): string };
      readonly version: number;
      getValue(): string;
    }[];
  }
  interface CreateData {
    readonly extraLibs: Readonly<Record<string, { readonly content: string; readonly version: number }>>;
  }
  export class TypeScriptWorker {
    constructor(ctx: WorkerContext, createData: CreateData);
    getExtraLibs(): CreateData['extraLibs'];
    getScriptFileNames(): string[];
    getScriptVersion(fileName: string): string;
    getScriptText(fileName: string): Promise<string | undefined>;
    /** The text that the compiler reads. */
    _getScriptText(fileName: string): string | undefined;
  }
  export function initialize(create: (ctx: WorkerContext, createData: CreateData) => TypeScriptWorker): void;
}
