// Monaco with what the studio writes in it: JavaScript, TypeScript, JSON and YAML. Loaded when the first editor is shown.
// Its workers are files of our own build, as the content security policy wants.
import 'monaco-editor/features/register.all.js';
import 'monaco-editor/languages/definitions/javascript/register.js';
import 'monaco-editor/languages/definitions/typescript/register.js';
import 'monaco-editor/languages/definitions/yaml/register.js';
import 'monaco-editor/languages/features/json/register.js';
import * as monaco from 'monaco-editor/editor/editor.api.js';
import EditorWorker from 'monaco-editor/editor/editor.worker.js?worker';
import JsonWorker from 'monaco-editor/languages/features/json/json.worker.js?worker';
import * as typescript from 'monaco-editor/languages/features/typescript/register.js';
import BodyWorker from './body-worker.ts?worker';
import { defineThemes } from './monaco-themes.ts';

self.MonacoEnvironment = {
  getWorker(_id, label) {
    if (label === 'json') return new JsonWorker();
    if (label === 'typescript' || label === 'javascript') return new BodyWorker();
    return new EditorWorker();
  },
};

defineThemes(monaco);

// A body is one function expression, run in the sandbox: the language alone, no DOM and no Node.
typescript.typescriptDefaults.setCompilerOptions({
  target: typescript.ScriptTarget.ESNext,
  lib: ['es2023'],
  strict: true,
  // Values without a schema can be anything.
  noImplicitAny: false,
  allowNonTsExtensions: true,
});
// No dead-code hints: the engine uses the body, not the file.
typescript.typescriptDefaults.setDiagnosticsOptions({ noSuggestionDiagnostics: true, diagnosticCodesToIgnore: [2695, 7027] });

export { monaco, typescript };
