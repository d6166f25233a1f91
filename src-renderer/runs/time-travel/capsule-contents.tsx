import { numberText } from '#renderer/ui/controls/counted.ts';
import type { CapsuleContents } from '#shared/contract/time-travel.ts';
import styles from './capsule-contents.module.css';
import { texts } from './texts.ts';

function bytesText(bytes: number): string {
  if (bytes < 1024) return `${numberText(bytes)} B`;
  if (bytes < 1024 * 1024) return `${numberText(Math.round(bytes / 102.4) / 10)} KiB`;
  return `${numberText(Math.round(bytes / 104_857.6) / 10)} MiB`;
}

/** The contents of a capsule, part by part, and what is masked. */
export function CapsuleContentsList({ contents }: { contents: CapsuleContents }) {
  const { flow_name, flow_path, records, size, states, effects, conversations, sources, masked, not_replayable } = contents;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by the keyboard
    // biome-ignore lint/a11y/useSemanticElements: a <section> would clutter the list of landmarks
    <div className={styles.contents} role="group" aria-label={texts.capsule.label} tabIndex={0}>
      <p className={styles.summary}>
        <strong>{flow_name}</strong> <code>{flow_path}</code> · {texts.capsule.steps(records)} · {bytesText(size)}
      </p>
      <Rows
        heading={texts.capsule.states}
        rows={states.map(({ name, times, bytes }) => [name, texts.capsule.times(times), bytesText(bytes)])}
      />
      <Rows
        heading={texts.capsule.effects}
        rows={effects.map(({ kind, name, times, bytes }) => [`${kind} ${name}`, texts.capsule.times(times), bytesText(bytes)])}
      />
      <Rows
        heading={texts.capsule.conversations}
        rows={conversations.map(({ node, messages, bytes }) => [node, texts.capsule.messages(messages), bytesText(bytes)])}
      />
      <Rows heading={texts.capsule.files} rows={sources.map(({ path, bytes }) => [path, '', bytesText(bytes)])} />
      {masked.length > 0 && (
        <Rows heading={texts.capsule.masked(masked.length)} rows={masked.map(({ path, reason }) => [path, reason, ''])} />
      )}
      {not_replayable && <p className={styles.note}>{texts.capsule.notReplayable(not_replayable)}</p>}
    </div>
  );
}

/** Rows listed of one kind; more are only counted. */
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
            <td colSpan={3}>{texts.capsule.more(rows.length - rowsShown)}</td>
          </tr>
        )}
      </tbody>
    </table>
  );
}
