import { useComputedColorScheme } from '@mantine/core';
import type { editor } from 'monaco-editor/editor/editor.api.js';
import { useEffect, useRef, useState } from 'react';
import { declarationsOf } from './body-file.ts';
import styles from './code-editor.module.css';

interface CodeEditorProps {
  readonly value: string;
  readonly language: 'typescript' | 'json' | 'yaml';
  /** Label for screen readers. */
  readonly label: string;
  /** Unique on the page; preserves the cursor and the folding while the panel renders again. */
  readonly id: string;
  onChange?(value: string): void;
  /** Makes the text read-only; it can still be selected and copied. */
  readonly readOnly?: boolean;
  /** Declarations that the code can use (types of its input and output). */
  readonly declarations?: string;
  /** A line at which something failed, with the message. */
  readonly mark?: { readonly line: number; readonly message: string } | null;
  /** Fills the panel instead of growing with its text. */
  readonly fill?: boolean;
}

const smallest = 88;
const largest = 380;

/** The URI of a text for the editor's workers. */
function uriOf({ monaco }: typeof import('./monaco.ts'), id: string, extension: string) {
  return monaco.Uri.parse(`inmemory://studio/${encodeURIComponent(id)}.${extension}`);
}

/** Monaco in the studio's theme. Loaded lazily; until then, a plain text field is shown. */
export function CodeEditor({ value, language, label, id, onChange, readOnly = false, declarations, mark, fill }: CodeEditorProps) {
  const dark = useComputedColorScheme('light') === 'dark';
  const [monaco, setMonaco] = useState<typeof import('./monaco.ts') | null>(null);
  const [height, setHeight] = useState(smallest);
  const frame = useRef<HTMLDivElement>(null);
  const instance = useRef<editor.IStandaloneCodeEditor | null>(null);
  const change = useRef(onChange);
  change.current = onChange;
  const latest = useRef(value);
  latest.current = value;
  /** Typed text that has not come back as `value` yet, since `value` lags behind fast typing. */
  const onTheWay = useRef<string[]>([]);
  const taking = useRef(false);

  useEffect(() => {
    let current = true;
    void import('./monaco.ts').then((loaded) => current && setMonaco(loaded));
    return () => {
      current = false;
    };
  }, []);

  useEffect(() => {
    if (!monaco || !frame.current) return;
    const { editor: editors } = monaco.monaco;
    const extension = { typescript: 'ts', json: 'json', yaml: 'yaml' }[language];
    const uri = uriOf(monaco, id, extension);
    editors.getModel(uri)?.dispose();
    const model = editors.createModel(latest.current, language, uri);
    const created = editors.create(frame.current, {
      model,
      ariaLabel: label,
      readOnly,
      automaticLayout: true,
      minimap: { enabled: false },
      fontFamily: 'JetBrains Mono Variable, monospace',
      fontSize: 12,
      lineHeight: 18,
      lineNumbersMinChars: 3,
      lineDecorationsWidth: 6,
      folding: fill ?? false,
      scrollBeyondLastLine: false,
      overviewRulerLanes: 0,
      renderLineHighlight: 'line',
      // Otherwise the number of an empty last line is too faint to read.
      renderFinalNewline: 'on',
      wordWrap: 'on',
      tabSize: 2,
      fixedOverflowWidgets: true,
      scrollbar: { alwaysConsumeMouseWheel: false },
      padding: { top: 6, bottom: 6 },
    });
    instance.current = created;
    const grow = () => setHeight(Math.min(largest, Math.max(smallest, created.getContentHeight())));
    const subscriptions = [
      model.onDidChangeContent(() => {
        if (taking.current) return;
        const typed = model.getValue();
        onTheWay.current.push(typed);
        change.current?.(typed);
      }),
      created.onDidContentSizeChange(grow),
    ];
    grow();
    return () => {
      for (const subscription of subscriptions) subscription.dispose();
      created.dispose();
      model.dispose();
      instance.current = null;
      onTheWay.current = [];
    };
  }, [monaco, language, label, id, fill, readOnly]);

  useEffect(() => {
    monaco?.monaco.editor.setTheme(dark ? 'pravah-dark' : 'pravah-light');
  }, [monaco, dark]);

  useEffect(() => {
    const own = onTheWay.current.lastIndexOf(value);
    onTheWay.current = own < 0 ? [] : onTheWay.current.slice(own + 1);
    const model = instance.current?.getModel();
    if (own >= 0 || !model || model.getValue() === value) return;
    taking.current = true;
    // As an edit, to preserve the cursor position.
    model.pushEditOperations([], [{ range: model.getFullModelRange(), text: value }], () => null);
    taking.current = false;
  }, [value]);

  useEffect(() => {
    if (!monaco || declarations === undefined) return;
    const library = monaco.typescript.typescriptDefaults.addExtraLib(declarations, declarationsOf(uriOf(monaco, id, 'ts').toString()));
    return () => library.dispose();
  }, [monaco, declarations, id]);

  const { line, message } = mark ?? {};
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text or language makes another editor
  useEffect(() => {
    const shown = instance.current;
    if (!monaco || !shown || line === undefined || message === undefined) return;
    const last = shown.getModel()?.getLineCount() ?? 1;
    const at = Math.min(line, last);
    const decorations = shown.createDecorationsCollection([
      {
        range: new monaco.monaco.Range(at, 1, at, 1),
        options: {
          isWholeLine: true,
          className: styles.failed ?? '',
          hoverMessage: { value: message },
          lineNumberClassName: styles.failedNumber ?? '',
        },
      },
    ]);
    shown.revealLineInCenterIfOutsideViewport(at);
    return () => decorations.clear();
  }, [monaco, language, id, line, message]);

  return (
    // `nokey`: the canvas takes no keys from here, which its Space would: Monaco types into no field that it knows.
    <div className={`${styles.frame} nokey`} style={fill ? { flex: 1, minHeight: 0 } : { height }}>
      {monaco ? (
        <div ref={frame} className={styles.editor} data-code-editor={id} />
      ) : (
        <textarea
          className={styles.plain}
          aria-label={label}
          value={value}
          readOnly={readOnly}
          onChange={(event) => onChange?.(event.currentTarget.value)}
        />
      )}
    </div>
  );
}
