import { Button, NativeSelect, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useStore } from 'zustand';
import type { Breakpoint } from '#shared/contract/breakpoint.ts';
import { type BreakpointFields, fieldsOf, withFields } from './breakpoint-edits.ts';
import styles from './breakpoint-list.module.css';
import { breakpointStore, editBreakpoint, saveBreakpoint } from './breakpoint-store.ts';
import { whatText } from './breakpoint-text.ts';
import { texts } from './texts.ts';

const code = { input: { fontFamily: 'var(--font-code)' } };

/** The form of a breakpoint: condition, hits, log text, and the breakpoint that must have been hit before. */
export function BreakpointForm({ breakpoint }: { breakpoint: Breakpoint }) {
  const [fields, setFields] = useState(() => fieldsOf(breakpoint));
  const [fault, setFault] = useState<string | null>(null);
  const all = useStore(breakpointStore, (state) => state.breakpoints);
  const number = all.findIndex(({ id }) => id === breakpoint.id) + 1;
  const field = (name: keyof BreakpointFields) => ({
    size: 'xs' as const,
    value: fields[name],
    onChange: (event: { currentTarget: { value: string } }) => setFields({ ...fields, [name]: event.currentTarget.value }),
  });
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const refused = await saveBreakpoint(withFields(breakpoint, fields));
    setFault(refused);
    if (refused === null) editBreakpoint(null);
  };
  return (
    <form
      className={styles.form}
      aria-label={texts.edit(texts.named(number))}
      onSubmit={(event) => void save(event)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        editBreakpoint(null);
      }}
    >
      <TextInput
        {...field('condition')}
        label={texts.form.condition}
        placeholder={texts.form.conditionHint}
        error={fault}
        styles={code}
        autoFocus
      />
      <TextInput {...field('hits')} label={texts.form.hits} placeholder={texts.form.hitsHint} styles={code} />
      <TextInput {...field('log')} label={texts.form.log} placeholder={texts.form.logHint} styles={code} />
      <NativeSelect
        {...field('requires')}
        label={texts.form.requires}
        data={[
          { value: '', label: texts.form.requiresNone },
          ...all.flatMap((other, index) => (other.id === breakpoint.id ? [] : [{ value: other.id, label: whatText(other, index + 1) }])),
        ]}
      />
      <div className={styles.buttons}>
        <Button size="compact-xs" variant="default" onClick={() => editBreakpoint(null)}>
          {texts.form.cancel}
        </Button>
        <Button size="compact-xs" type="submit">
          {texts.form.save}
        </Button>
      </div>
    </form>
  );
}
