import { ActionIcon, TextInput } from '@mantine/core';
import { IconAlertCircle, IconChartLine, IconPlus, IconX } from '@tabler/icons-react';
import { useState } from 'react';
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
import { WatchPlot } from './watch-plot.tsx';

type Evaluated = { readonly value: Json } | { readonly error: string };

/** Expressions of the shown flow, evaluated at the shown step. */
export function Watches() {
  const path = useCurrentFlow((flow) => flow?.path ?? null);
  const expressions = useStore(
    breakpointStore,
    useShallow(({ watches }) => watches.filter(({ flow }) => flow === path).map(({ expression }) => expression)),
  );
  const [adding, setAdding] = useState(false);
  const [plotted, setPlotted] = useState<ReadonlySet<string>>(new Set());
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
          <li key={index}>
            <div className={styles.row}>
              <span className={styles.expression} title={expression}>
                {expression}
              </span>
              <WatchValue {...values(index)} />
              <ActionIcon
                size={22}
                aria-label={texts.plotWatch(expression)}
                title={texts.plotWatch(expression)}
                aria-pressed={plotted.has(expression)}
                onClick={() => setPlotted(toggled(plotted, expression))}
              >
                <IconChartLine size={13} />
              </ActionIcon>
              <ActionIcon
                size={22}
                aria-label={texts.removeWatch(expression)}
                title={texts.removeWatch(expression)}
                onClick={() => void put(expressions.filter((_, other) => other !== index))}
              >
                <IconX size={13} />
              </ActionIcon>
            </div>
            {plotted.has(expression) && <WatchPlot expression={expression} />}
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

function toggled(set: ReadonlySet<string>, item: string): ReadonlySet<string> {
  const next = new Set(set);
  if (!next.delete(item)) next.add(item);
  return next;
}

interface Shown {
  readonly result: Evaluated | undefined;
  /** It differs from the value at the step before. */
  readonly changed: boolean;
}

/** The values at the shown step, by position, beside those at the step before. */
function useValues(expressions: readonly string[]): (index: number) => Shown {
  const run_id = useRunSession((state) => state.view?.run_id ?? null);
  const seq = useRunSession(({ view, selected }) => selected ?? view?.seq ?? 0);
  const status = useRunSession(({ view }) => view?.status ?? '');
  const answer = useReading({ run_id, seq, expressions }, status, async (input): Promise<{ now: Evaluated[]; before: Evaluated[] }> => {
    if (input.run_id === null || input.expressions.length === 0) return { now: [], before: [] };
    const evaluate = (at: number) => studio.debug.evaluate({ run_id: input.run_id ?? '', seq: at, expressions: [...input.expressions] });
    const [now, before] = await Promise.all([evaluate(input.seq), input.seq > 0 ? evaluate(input.seq - 1) : []]);
    return { now, before };
  });
  return (index) => {
    if (run_id === null || answer === null) return { result: undefined, changed: false };
    if (answer.failure) return { result: { error: answer.failure.message }, changed: false };
    const at = answer.input.expressions.indexOf(expressions[index] ?? '');
    const [result, before] = [answer.output.now[at], answer.output.before[at]];
    return { result, changed: before !== undefined && JSON.stringify(before) !== JSON.stringify(result) };
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
