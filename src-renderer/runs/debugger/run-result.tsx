import type { RunView } from '#renderer/runs/model/run-fold.ts';
import { wholeOf } from '#renderer/ui/values/value-difference.ts';
import { ValueTree } from '#renderer/ui/values/value-tree.tsx';
import styles from './run-output.module.css';
import { texts } from './texts.ts';

/** The result of a finished run: the state that nothing consumes. */
export function RunResult({ view }: { view: RunView }) {
  const [result] = view.current.states;
  if (view.status !== 'success' || !result) return null;
  return (
    <section className={styles.result} aria-labelledby="run-result">
      <h2 id="run-result">
        {texts.output.result} <code>{result.name}</code>
      </h2>
      <ValueTree label={texts.output.resultOf(result.name)} difference={wholeOf('same', result.value)} />
    </section>
  );
}
