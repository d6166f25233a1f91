import type { NodeTitles } from '#renderer/document/graph/node-titles.ts';
import { previewOf } from '#renderer/ui/values/value-preview.ts';
import type { StateAt } from '#shared/contract/runs.ts';
import { itemText } from './item-text.ts';
import { previewPieces } from './state-changes.ts';
import styles from './state-table.module.css';
import { texts } from './texts.ts';

interface StateTableProps {
  readonly at: StateAt;
  readonly titles: NodeTitles;
  /** Node of the step shown, which consumed what is struck out. */
  readonly by: string | null;
  /** Whether the run began with states of another one. */
  readonly forked: boolean;
}

/** The state map beside the timeline: what waits, what the step wrote (green), what it consumed (struck out), who wrote each. */
export function StateTable({ at, titles, by, forked }: StateTableProps) {
  const beginning = forked ? texts.state.fork : texts.state.input;
  const written = (seq: number, node: string) => (seq === 0 ? beginning : titles(node));
  const present = new Set(at.states.map(({ name }) => name));
  const consumed = at.consumed.filter(({ name }) => !present.has(name));
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col" className={styles.name}>
            {texts.state.afterStep(at.seq)}
          </th>
          <th scope="col">{texts.state.value}</th>
          <th scope="col" className={styles.by}>
            {texts.state.writtenBy}
          </th>
        </tr>
      </thead>
      <tbody>
        {at.states.map((state) => (
          <tr key={state.name}>
            <th scope="row" className={styles.name} title={state.name}>
              {ownName(state.name)}
            </th>
            <td className={styles.value} title={previewOf(state.value, 600)}>
              {previewPieces(state, at).map((piece, index) =>
                piece.added ? (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a piece is its position in the line
                  <ins key={index} className={styles.added}>
                    {piece.text}
                  </ins>
                ) : (
                  piece.text
                ),
              )}
            </td>
            <td className={styles.by} title={texts.state.step(state.written_at)}>
              {written(state.written_at, state.written_by)}
            </td>
          </tr>
        ))}
        {at.items.map(({ node, index, of, call, states }) =>
          states.map((state) => (
            <tr key={`${node} ${state.name}`}>
              <th scope="row" className={styles.name} title={`${call ? node : `${node}[${index}]`}::${state.name}`}>
                {ownName(state.name)}
              </th>
              <td className={styles.value} title={previewOf(state.value, 600)}>
                {previewOf(state.value)}
              </td>
              <td className={styles.by} title={call ? call.tool : titles(node)}>
                {itemText({ index, of, ...(call && { call }) })}
              </td>
            </tr>
          )),
        )}
        {consumed.map((state) => (
          <tr key={`consumed ${state.name}`} className={styles.consumed}>
            <th scope="row" className={styles.name} title={state.name}>
              <del>{ownName(state.name)}</del>
            </th>
            <td className={styles.value}>{texts.state.consumed(by === null ? null : titles(by))}</td>
            <td className={styles.by}>{state.written_at === 0 ? beginning.toLowerCase() : texts.state.step(state.written_at)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The name of a state inside a nested flow, without those of the flows around it. */
function ownName(name: string): string {
  return name.split('::').at(-1) ?? name;
}
