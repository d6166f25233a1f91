import { ActionIcon, TextInput } from '@mantine/core';
import { IconAlertCircle, IconPlus, IconX } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import { studio } from '#renderer/api/studio.ts';
import { useCurrentFlow } from '#renderer/document/flows/use-current-flow.ts';
import { breakpointStore, putWatches } from '#renderer/runs/breakpoints/breakpoint-store.ts';
import { useReading } from '#renderer/runs/iterations/use-reading.ts';
import { useRunSession } from '#renderer/runs/model/use-run-session.ts';
import { EmptyPart, PanelSection } from '#renderer/ui/controls/panel-section.tsx';
import { previewOf } from '#renderer/ui/values/value-preview.ts';
import type { Json } from '#shared/json.ts';
import styles from './debug-panel.module.css';
import { texts } from './texts.ts';

type Evaluated = { readonly value: Json } | { readonly error: string };

/** Expressions of the shown flow, evaluated at the shown step. */
export function Watches() {
  const path = useCurrentFlow((flow) => flow?.path ?? null);
  const expressions = useStore(
    breakpointStore,
    useShallow(({ watches }) => watches.filter(({ flow }) => flow === path).map(({ expression }) => expression)),
  );
  const [adding, setAdding] = useState(false);
  const values = useValues(expressions);
  const put = (next: readonly string[]) => (path === null ? Promise.resolve(false) : putWatches(path, next));
  return (
    <PanelSection
      title={texts.watches}
      trailing={
        <ActionIcon size={22} aria-label={texts.addWatch} title={texts.addWatch} onClick={() => setAdding(true)} disabled={path === null}>
          <IconPlus size={14} />
        </ActionIcon>
      }
    >
      {expressions.length === 0 && !adding && <EmptyPart>{path === null ? texts.noFlow : texts.noWatches}</EmptyPart>}
      <ul className={styles.rows} aria-label={texts.watches}>
        {expressions.map((expression, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same expression may be listed twice
          <li key={index} className={styles.row}>
            <span className={styles.expression} title={expression}>
              {expression}
            </span>
            <WatchValue {...values(index)} />
            <ActionIcon
              size={22}
              aria-label={texts.removeWatch(expression)}
              title={texts.removeWatch(expression)}
              onClick={() => void put(expressions.filter((_, other) => other !== index))}
            >
              <IconX size={13} />
            </ActionIcon>
          </li>
        ))}
      </ul>
      {adding && (
        <form
          className={styles.add}
          onSubmit={(event) => {
            event.preventDefault();
            const expression = String(new FormData(event.currentTarget).get('expression')).trim();
            if (expression !== '') void put([...expressions, expression]);
            setAdding(false);
          }}
        >
          <TextInput
            name="expression"
            size="xs"
            data-autofocus
            autoFocus
            aria-label={texts.expression}
            placeholder={texts.expressionHint}
            onKeyDown={(event) => {
              if (event.key === 'Escape') setAdding(false);
            }}
          />
        </form>
      )}
    </PanelSection>
  );
}

interface Shown {
  readonly result: Evaluated | undefined;
  /** It differs from the value at the step shown before. */
  readonly changed: boolean;
}

/** The values at the shown step, by position. */
function useValues(expressions: readonly string[]): (index: number) => Shown {
  const run_id = useRunSession((state) => state.view?.run_id ?? null);
  const seq = useRunSession(({ view, selected }) => selected ?? view?.seq ?? 0);
  const status = useRunSession(({ view }) => view?.status ?? '');
  const before = useRef<{ readonly seq: number; readonly values: ReadonlyMap<string, string> }>({ seq: -1, values: new Map() });
  const last = useRef(before.current);
  const answer = useReading(
    { run_id, seq, expressions },
    status,
    async (input): Promise<Evaluated[]> =>
      input.run_id === null || input.expressions.length === 0
        ? []
        : studio.debug.evaluate({ run_id: input.run_id, seq: input.seq, expressions: [...input.expressions] }),
  );
  if (answer?.output && answer.input.run_id !== null && last.current.seq !== answer.input.seq) {
    before.current = last.current;
    const texted = answer.output.map((each, index) => [answer.input.expressions[index] ?? '', JSON.stringify(each)] as const);
    last.current = { seq: answer.input.seq, values: new Map(texted) };
  }
  return (index) => {
    if (run_id === null || answer === null) return { result: undefined, changed: false };
    if (answer.failure) return { result: { error: answer.failure.message }, changed: false };
    const expression = expressions[index] ?? '';
    const result = answer.output[answer.input.expressions.indexOf(expression)];
    const known = before.current.values.get(expression);
    return { result, changed: known !== undefined && result !== undefined && known !== JSON.stringify(result) };
  };
}

function WatchValue({ result, changed }: Shown) {
  if (!result) return null;
  if ('error' in result)
    return (
      <span className={styles.fault} title={result.error}>
        <IconAlertCircle size={13} aria-hidden="true" />
        <span>{result.error}</span>
      </span>
    );
  return (
    <span className={styles.value} data-changed={changed} title={previewOf(result.value, 1000)}>
      {previewOf(result.value)}
    </span>
  );
}
