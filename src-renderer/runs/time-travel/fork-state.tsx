import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useId, useState } from 'react';
import type { FieldFault } from '#renderer/ui/forms/field-faults.ts';
import { ValueEditor } from '#renderer/ui/forms/value-editor.tsx';
import { previewOf } from '#renderer/ui/values/value-preview.ts';
import type { StateEntry } from '#shared/contract/runs.ts';
import type { Json, JsonSchema } from '#shared/json.ts';
import styles from './fork-form.module.css';
import { texts } from './texts.ts';

interface ForkStateProps {
  readonly state: StateEntry;
  readonly schema: JsonSchema;
  /** Its new value; undefined when it is unchanged. */
  readonly edited: Json | undefined;
  readonly dropped: boolean;
  readonly faults: readonly FieldFault[];
  /** Whether it is expanded at first. */
  readonly open: boolean;
  onChange(value: Json | undefined): void;
  onDrop(drop: boolean): void;
  onSubmit(): void;
}

/** One state of a fork: unchanged, edited or removed. */
export function ForkState({ state, schema, edited, dropped, faults, open: openAtFirst, onChange, onDrop, onSubmit }: ForkStateProps) {
  const id = useId();
  const [open, setOpen] = useState(openAtFirst);
  // Counts the resets; each starts the form over.
  const [resets, setResets] = useState(0);
  const shown = open && !dropped;
  const Chevron = shown ? IconChevronDown : IconChevronRight;
  const value = edited === undefined ? state.value : edited;
  return (
    <section
      className={styles.state}
      data-edited={edited !== undefined}
      data-faulty={faults.length > 0}
      aria-label={texts.fork.state(state.name)}
    >
      <div className={styles.head}>
        <button type="button" className={styles.toggle} aria-expanded={shown} disabled={dropped} onClick={() => setOpen(!open)}>
          <Chevron size={14} aria-hidden="true" />
          {dropped ? <del className={styles.name}>{state.name}</del> : <span className={styles.name}>{state.name}</span>}
          {edited !== undefined && !dropped && <span className={styles.badge}>{texts.fork.edited}</span>}
          {faults.length > 0 && !dropped && <span className={styles.fault}>{texts.fork.misfit}</span>}
          {!shown && <span className={styles.preview}>{dropped ? texts.fork.removed : previewOf(value, 120)}</span>}
        </button>
        {edited !== undefined && !dropped && (
          <button
            type="button"
            className={styles.action}
            onClick={() => {
              onChange(undefined);
              setResets(resets + 1);
            }}
          >
            {texts.fork.reset}
          </button>
        )}
        <button type="button" className={styles.action} onClick={() => onDrop(!dropped)}>
          {dropped ? texts.fork.addBack : texts.fork.remove}
        </button>
      </div>
      {shown && (
        <div className={styles.editor}>
          <ValueEditor
            key={resets}
            id={id}
            label={state.name}
            schema={schema}
            value={value}
            faults={faults}
            onChange={onChange}
            onSubmit={onSubmit}
          />
        </div>
      )}
    </section>
  );
}
