import type { CapsuleContents } from '#shared/contract/time-travel.ts';
import styles from './capsule-contents.module.css';

const number = new Intl.NumberFormat('en');

function bytesText(bytes: number): string {
  if (bytes < 1024) return `${number.format(bytes)} B`;
  if (bytes < 1024 * 1024) return `${number.format(Math.round(bytes / 102.4) / 10)} KiB`;
  return `${number.format(Math.round(bytes / 104_857.6) / 10)} MiB`;
}

/** What a capsule holds, part by part, and what in it is masked. */
export function CapsuleContentsList({ contents }: { contents: CapsuleContents }) {
  const { flow_name, flow_path, records, size, states, effects, conversations, sources, masked, not_replayable } = contents;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by the keyboard
    // biome-ignore lint/a11y/useSemanticElements: a <section> would clutter the list of landmarks
    <div className={styles.contents} role="group" aria-label="What the capsule holds" tabIndex={0}>
      <p className={styles.summary}>
        <strong>{flow_name}</strong> <code>{flow_path}</code> · {records === 1 ? '1 step' : `${number.format(records)} steps`} ·{' '}
        {bytesText(size)}
      </p>
      <Rows heading="States" rows={states.map(({ name, times, bytes }) => [name, `${times} ×`, bytesText(bytes)])} />
      <Rows
        heading="Models and tools"
        rows={effects.map(({ kind, name, times, bytes }) => [`${kind} ${name}`, `${times} ×`, bytesText(bytes)])}
      />
      <Rows
        heading="Conversations"
        rows={conversations.map(({ node, messages, bytes }) => [
          node,
          `${messages} ${messages === 1 ? 'message' : 'messages'}`,
          bytesText(bytes),
        ])}
      />
      <Rows heading="Files of the flow" rows={sources.map(({ path, bytes }) => [path, '', bytesText(bytes)])} />
      {masked.length > 0 && <Rows heading={`Masked (${masked.length})`} rows={masked.map(({ path, reason }) => [path, reason, ''])} />}
      {not_replayable && <p className={styles.note}>It opens and shows everything, but cannot be run as a test: {not_replayable}</p>}
    </div>
  );
}

/** More rows of one kind are counted, not listed. */
const rowsShown = 50;

function Rows({ heading, rows }: { heading: string; rows: readonly (readonly [name: string, times: string, size: string])[] }) {
  if (rows.length === 0) return null;
  return (
    <table className={styles.rows}>
      <caption className={styles.caption}>{heading}</caption>
      <tbody>
        {rows.slice(0, rowsShown).map(([name, times, size]) => (
          <tr key={`${name} ${times}`}>
            <th scope="row" className={styles.name}>
              <code>{name}</code>
            </th>
            <td className={styles.times}>{times}</td>
            <td className={styles.size}>{size}</td>
          </tr>
        ))}
        {rows.length > rowsShown && (
          <tr>
            <td colSpan={3}>and {number.format(rows.length - rowsShown)} more</td>
          </tr>
        )}
      </tbody>
    </table>
  );
}
