import { useMemo } from 'react';
import { useEditor } from '#renderer/document/flows/use-editor.ts';
import { useRunSession } from '#renderer/runs/model/use-run-session.ts';
import { EmptyPart, PanelSection } from '#renderer/ui/controls/panel-section.tsx';
import { previewOf } from '#renderer/ui/values/value-preview.ts';
import styles from './debug-panel.module.css';
import { texts } from './texts.ts';
import { tokenRows } from './token-rows.ts';

/** The waiting states of the shown run's flow, and what each waits for. */
export function Tokens() {
  const view = useRunSession((state) => state.view);
  const at = useRunSession(({ selected, shown, view: run }) => (selected === null ? run?.current : (shown ?? run?.current)));
  const past = useRunSession(({ selected }) => selected !== null);
  const nodes = useEditor(({ flows }) => (view && flows[view.flow_path]?.view.nodes) || null);
  const rows = useMemo(
    () =>
      at
        ? tokenRows(
            {
              states: at.states.map(({ name }) => name),
              next: at.next,
              asking: past ? [] : (view?.suspensions.map(({ node }) => node) ?? []),
            },
            nodes ?? [],
          )
        : null,
    [at, nodes, past, view?.suspensions],
  );
  return (
    <PanelSection title={texts.tokens}>
      {rows === null ? (
        <EmptyPart>{texts.noRun}</EmptyPart>
      ) : rows.length === 0 ? (
        <EmptyPart>{texts.noTokens}</EmptyPart>
      ) : (
        <ul className={styles.rows} aria-label={texts.tokens}>
          {rows.map(({ state, node, status, isNext }) => (
            <li key={state} className={styles.row}>
              <span className={styles.token} title={previewOf(at?.states.find(({ name }) => name === state)?.value ?? null, 400)}>
                {state}
              </span>
              <span className={styles.name} title={node}>
                {node}
              </span>
              <span className={styles.status} data-next={isNext}>
                {status}
              </span>
            </li>
          ))}
        </ul>
      )}
    </PanelSection>
  );
}
