import { ActionIcon, CloseButton, Loader } from '@mantine/core';
import { IconArrowRight, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import { useStore } from 'zustand';
import { type NodeTitles, nodeTitlesOf } from '#renderer/document/graph/node-titles.ts';
import { RunStatusMark } from '#renderer/runs/list/run-status.tsx';
import { showRunNow } from '#renderer/runs/model/open-run.ts';
import { shortRunName } from '#renderer/runs/model/run-name.ts';
import { useRunSession } from '#renderer/runs/model/use-run-session.ts';
import { numberText } from '#renderer/ui/controls/counted.ts';
import table from '#renderer/ui/controls/data-table.module.css';
import { StripButton } from '#renderer/ui/controls/strip-button.tsx';
import { durationText } from '#renderer/ui/values/durations.ts';
import { FailureText } from '#renderer/ui/values/failure-text.tsx';
import { previewOf } from '#renderer/ui/values/value-preview.ts';
import type { Matrix, MatrixRow } from '#shared/contract/matrix.ts';
import { differenceText, moneyText, outputAt, outputFields } from './matrix-cells.ts';
import styles from './matrix-panel.module.css';
import { closeMatrix, compareVariant, matrixStore, runMatrix, stopMatrix } from './matrix-store.ts';
import { matrixTexts } from './matrix-texts.ts';

const texts = matrixTexts.panel;
const atRest: ReadonlySet<MatrixRow['status']> = new Set(['success', 'error', 'cancelled', 'suspended']);

/** The variants of a run as a table, live. A variant's name compares it with the original. */
export function MatrixPanel() {
  const { matrix, failure } = useStore(matrixStore);
  if (failure) return <FailureText failure={failure} />;
  if (!matrix) return <Loader size="sm" m="md" role="img" aria-label={texts.loading} />;
  const { rows, run_id, seq } = matrix;
  const done = rows.filter(({ status }) => atRest.has(status)).length;
  const isDriven = rows.some(({ status }) => status === 'queued' || status === 'running');
  return (
    <div className={styles.panel}>
      <div className={styles.head}>
        <span>{texts.title(shortRunName(run_id), seq)}</span>
        <span className={styles.progress} role="status">
          {texts.progress(done, rows.length)}
        </span>
        {isDriven && (
          <StripButton icon={IconPlayerStop} onClick={() => void stopMatrix()}>
            {texts.cancel}
          </StripButton>
        )}
        {!isDriven && done < rows.length && (
          <StripButton icon={IconPlayerPlay} onClick={() => void runMatrix()}>
            {texts.run}
          </StripButton>
        )}
        <CloseButton size="sm" ml="auto" aria-label={texts.close} onClick={closeMatrix} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by the keyboard */}
      {/* biome-ignore lint/a11y/useSemanticElements: a <section> per table would clutter the list of landmarks */}
      <div className={table.scroller} role="group" aria-label={texts.table} tabIndex={0}>
        <MatrixTable matrix={matrix} />
      </div>
    </div>
  );
}

function MatrixTable({ matrix }: { matrix: Matrix }) {
  const view = useRunSession((state) => state.view);
  const titles: NodeTitles = view?.flow_path === matrix.flow_path ? nodeTitlesOf(view.flow_text, view.flow_path, view.titles) : (id) => id;
  const fields = outputFields(matrix) ?? [null];
  const hasCosts = [matrix.original, ...matrix.rows].some((row) => row !== null && row.cost !== null && row.cost > 0);
  const shared = { matrix, fields, titles, hasCosts };
  return (
    <table className={table.table} aria-label={texts.table}>
      <thead>
        <tr>
          <th scope="col">{texts.variant}</th>
          <th scope="col">{texts.status}</th>
          <th scope="col">{texts.differs}</th>
          {fields.map((field) => (
            <th key={field} scope="col">
              {field ?? texts.output}
            </th>
          ))}
          <th scope="col" className={table.figure}>
            {texts.tokens}
          </th>
          {hasCosts && (
            <th scope="col" className={table.figure}>
              {texts.cost}
            </th>
          )}
          <th scope="col" className={table.figure}>
            {texts.time}
          </th>
        </tr>
      </thead>
      <tbody>
        {matrix.original && <Row {...shared} row={matrix.original} isOriginal />}
        {matrix.rows.map((row) => (
          <Row key={row.run_id} {...shared} row={row} />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  readonly matrix: Matrix;
  readonly row: MatrixRow;
  readonly fields: readonly (string | null)[];
  readonly titles: NodeTitles;
  /** Whether there is a column for costs. */
  readonly hasCosts: boolean;
  readonly isOriginal?: boolean;
}

function Row({ matrix, row, fields, titles, hasCosts, isOriginal = false }: RowProps) {
  const { run_id, status, error, tokens, cost, duration_ms } = row;
  const name = isOriginal ? texts.original : row.name;
  const { flow_path } = matrix;
  return (
    <tr className={`${table.row} ${styles.row}`} data-original={isOriginal}>
      <th scope="row">
        <span className={styles.name}>
          {isOriginal || !matrix.original ? (
            <span>{name}</span>
          ) : (
            <button type="button" className={styles.compare} title={texts.compare(name)} onClick={() => void compareVariant(matrix, row)}>
              {name}
            </button>
          )}
          <ActionIcon
            size={22}
            aria-label={texts.open(name)}
            title={texts.open(name)}
            onClick={() => void showRunNow({ run_id, flow_path })}
          >
            <IconArrowRight size={14} />
          </ActionIcon>
        </span>
      </th>
      <td title={error?.message}>
        <RunStatusMark status={status} />
      </td>
      <td>{isOriginal ? '' : differenceText(row, titles)}</td>
      {fields.map((field) => {
        const value = outputAt(row, field);
        const text = value === undefined ? '' : previewOf(value, 60);
        return (
          <td key={field} className={styles.value} title={text}>
            {text}
          </td>
        );
      })}
      <td className={table.figure}>{numberText(tokens)}</td>
      {hasCosts && <td className={table.figure}>{cost === null ? '–' : moneyText(cost)}</td>}
      <td className={table.figure}>{durationText(duration_ms)}</td>
    </tr>
  );
}
