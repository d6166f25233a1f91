import type * as Monaco from 'monaco-editor/editor/editor.api.js';

/** Defines `pravah-light` and `pravah-dark` on the surfaces of the studio's own themes. */
export function defineThemes(monaco: typeof Monaco): void {
  monaco.editor.defineTheme('pravah-light', {
    base: 'vs',
    inherit: true,
    // The base theme's colors are too faint on the current line.
    rules: [
      { token: 'number', foreground: '077048' },
      { token: 'type', foreground: '006b68' },
    ],
    colors: { 'editor.background': '#ffffff', 'editorLineNumber.foreground': '#656f80', 'editor.lineHighlightBackground': '#f5f6f8' },
  });
  monaco.editor.defineTheme('pravah-dark', {
    base: 'vs-dark',
    inherit: true,
    rules: [
      { token: 'regexp', foreground: 'd58fbb' },
      { token: 'comment', foreground: '7fae6b' },
    ],
    colors: { 'editor.background': '#1a1d22', 'editorLineNumber.foreground': '#949eac', 'editor.lineHighlightBackground': '#20242a' },
  });
}
