import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { isJsonObject, type Json } from '#shared/json.ts';
import type { CallWithResult } from './conversation-turns.ts';
import styles from './tool-call-item.module.css';
import { differenceOf, wholeOf } from './value-difference.ts';
import { previewOf } from './value-preview.ts';
import { ValueTree } from './value-tree.tsx';

/** The words of an input that tell most: a path, a command, else all of it. */
function inputText(input: Json): string {
  if (!isJsonObject(input)) return previewOf(input, 80);
  const { path, command, args, query, question } = input;
  if (typeof command === 'string') return [command, ...(Array.isArray(args) ? args : [])].map(String).join(' ').slice(0, 100);
  const telling = [path, question, query].find((value) => typeof value === 'string');
  return telling === undefined ? previewOf(input, 80) : String(telling).slice(0, 100);
}

function resultText({ result }: CallWithResult, waiting: boolean): string {
  if (waiting) return 'waiting for you';
  if (!result) return 'not finished';
  if (typeof result.value === 'string' && !result.is_error) {
    const lines = result.value.split('\n').length;
    return lines > 1 ? `${lines} lines` : previewOf(result.value, 60);
  }
  return previewOf(result.value, 60);
}

/** The input; where a person edited it, the model's and the one that ran, with what changed. */
function Inputs({ call: { input, ranWith } }: { call: CallWithResult }) {
  return (
    <>
      <div className={styles.caption}>{ranWith === undefined ? 'Input' : 'Input from the model'}</div>
      <ValueTree label="Input" difference={wholeOf('same', input)} />
      {ranWith !== undefined && (
        <>
          <div className={styles.caption}>Ran with this input, edited by a person</div>
          <ValueTree label="Ran with" difference={differenceOf(input, ranWith)} />
        </>
      )}
    </>
  );
}

/** One tool call on a line; opens into its input and result. */
export function ToolCallItem({ call, waiting }: { call: CallWithResult; waiting: boolean }) {
  const [open, setOpen] = useState(false);
  const Chevron = open ? IconChevronDown : IconChevronRight;
  return (
    <div className={styles.call} data-waiting={waiting} data-error={call.result?.is_error ?? false}>
      <button type="button" className={styles.line} aria-expanded={open} onClick={() => setOpen(!open)}>
        <Chevron size={13} aria-hidden="true" />
        <strong>{call.tool}</strong>
        <span className={styles.input}>{inputText(call.ranWith ?? call.input)}</span>
        {call.ranWith !== undefined && <span className={styles.edited}>edited</span>}
        <span className={styles.result}>
          <span aria-hidden="true">→ </span>
          {call.result?.is_error && 'failed: '}
          {resultText(call, waiting)}
        </span>
      </button>
      {open && (
        <div className={styles.detail}>
          <Inputs call={call} />
          {call.result && (
            <>
              <div className={styles.caption}>{call.result.is_error ? 'Error' : 'Result'}</div>
              <ValueTree label="Result" difference={wholeOf('same', call.result.value)} />
            </>
          )}
        </div>
      )}
    </div>
  );
}
