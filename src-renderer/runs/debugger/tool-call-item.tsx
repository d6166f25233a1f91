import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { differenceOf, wholeOf } from '#renderer/ui/values/value-difference.ts';
import { previewOf } from '#renderer/ui/values/value-preview.ts';
import { ValueTree } from '#renderer/ui/values/value-tree.tsx';
import { isJsonObject, type Json } from '#shared/json.ts';
import type { CallWithResult } from './conversation-turns.ts';
import { texts } from './texts.ts';
import styles from './tool-call-item.module.css';

/** The most telling part of an input: its path or command, else all of it. */
function inputText(input: Json): string {
  if (!isJsonObject(input)) return previewOf(input, 80);
  const { path, command, args, query, question } = input;
  if (typeof command === 'string') return [command, ...(Array.isArray(args) ? args : [])].map(String).join(' ').slice(0, 100);
  const telling = [path, question, query].find((value) => typeof value === 'string');
  return telling === undefined ? previewOf(input, 80) : String(telling).slice(0, 100);
}

function resultText({ result }: CallWithResult, waiting: boolean): string {
  if (waiting) return texts.conversation.waiting;
  if (!result) return texts.conversation.notFinished;
  if (typeof result.value === 'string' && !result.is_error) {
    const lines = result.value.split('\n').length;
    return lines > 1 ? texts.conversation.lines(lines) : previewOf(result.value, 60);
  }
  return previewOf(result.value, 60);
}

/** The input; when the user edited it, the model's input and the changes to it. */
function Inputs({ call: { input, ranWith } }: { call: CallWithResult }) {
  return (
    <>
      <div className={styles.caption}>{ranWith === undefined ? texts.conversation.input : texts.conversation.modelInput}</div>
      <ValueTree label={texts.conversation.input} difference={wholeOf('same', input)} />
      {ranWith !== undefined && (
        <>
          <div className={styles.caption}>{texts.conversation.editedInput}</div>
          <ValueTree label={texts.conversation.editedInput} difference={differenceOf(input, ranWith)} />
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
        {call.ranWith !== undefined && <span className={styles.edited}>{texts.conversation.edited}</span>}
        <span className={styles.result}>
          <span aria-hidden="true">→ </span>
          {call.result?.is_error && texts.conversation.failed}
          {resultText(call, waiting)}
        </span>
      </button>
      {open && (
        <div className={styles.detail}>
          <Inputs call={call} />
          {call.result && (
            <>
              <div className={styles.caption}>{call.result.is_error ? texts.conversation.error : texts.conversation.result}</div>
              <ValueTree label={texts.conversation.result} difference={wholeOf('same', call.result.value)} />
            </>
          )}
        </div>
      )}
    </div>
  );
}
