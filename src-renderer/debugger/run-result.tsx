import type { RunView } from '#renderer/stores/run-fold.ts';
import styles from './run-output.module.css';
import { wholeOf } from './value-difference.ts';
import { ValueTree } from './value-tree.tsx';

/** What a run that is done has come to: the state that nothing consumes. */
export function RunResult({ view }: { view: RunView }) {
  const [result] = view.current.states;
  if (view.status !== 'success' || !result) return null;
  return (
    <section className={styles.result} aria-labelledby="run-result">
      <h2 id="run-result">
        Result <code>{result.name}</code>
      </h2>
      <ValueTree label={`Result ${result.name}`} difference={wholeOf('same', result.value)} />
    </section>
  );
}
