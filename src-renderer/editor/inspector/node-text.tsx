import { useEffect, useRef, useState } from 'react';
import { replaceText } from '#renderer/document/flows/editor.ts';
import { CodeEditor } from '#renderer/ui/code/code-editor.tsx';
import { type ParsedFlow, parseFlow } from '#shared/flow/parse-flow.ts';
import styles from './inspector.module.css';
import { sliceOf, withSlice } from './text-slice.ts';
import { texts } from './texts.ts';

interface NodeTextProps {
  readonly path: string;
  readonly parsed: ParsedFlow;
  readonly index: number;
}

/** The node's lines of the file, including comments. Text that does not parse yet stays here and is not saved. */
export function NodeText({ path, parsed, index }: NodeTextProps) {
  const written = sliceOf(parsed, ['nodes', index]) ?? '';
  const [text, setText] = useState(written);
  const [error, setError] = useState<string | null>(null);
  const applied = useRef(written);

  useEffect(() => {
    if (written === applied.current) return;
    applied.current = written;
    setText(written);
    setError(null);
  }, [written]);

  function onChange(next: string) {
    setText(next);
    const whole = withSlice(parsed, ['nodes', index], next);
    const read = whole === null ? null : parseFlow(whole, path, parsed);
    // A half-written line must not make the rest of the file unreadable, or another node of this one.
    if (whole === null || !read?.root || read.outline.nodes?.length !== parsed.outline.nodes?.length) {
      setError(read?.problems[0]?.message ?? texts.node.notOneNode);
      return;
    }
    applied.current = sliceOf(read, ['nodes', index]) ?? next;
    setError(null);
    replaceText(path, whole, texts.node.editText, `node text ${index}`);
  }

  return (
    <div className={styles.fill}>
      <CodeEditor id={`node ${path} ${index}`} label={texts.node.text} language={parsed.language} value={text} onChange={onChange} fill />
      {error && (
        <p className={styles.problem} role="alert">
          {texts.notSaved(error)}
        </p>
      )}
    </div>
  );
}
