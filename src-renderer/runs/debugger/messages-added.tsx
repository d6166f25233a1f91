import { studio } from '#renderer/api/studio.ts';
import { useReading } from '#renderer/runs/iterations/use-reading.ts';
import type { RunView } from '#renderer/runs/model/run-fold.ts';
import { wholeOf } from '#renderer/ui/values/value-difference.ts';
import { ValueTree } from '#renderer/ui/values/value-tree.tsx';
import { type Json, toJson } from '#shared/json.ts';
import styles from './state-panel.module.css';
import { texts } from './texts.ts';

interface MessagesAddedProps {
  readonly view: RunView;
  readonly titles: (node: string) => string;
  /** The agents whose conversations are compared, by their ids in the run. */
  readonly nodes: readonly string[];
  /** After this step, up to that one. */
  readonly from: number;
  readonly to: number;
}

/** The messages that were added to conversations between two steps; absent if there are none. */
export function MessagesAdded({ view, titles, nodes, from, to }: MessagesAddedProps) {
  const answer = useReading({ run_id: view.run_id, nodes, from, to }, '', (input) =>
    Promise.all(
      input.nodes.map(async (node): Promise<readonly Json[]> => {
        const conversation = (seq: number) => studio.runs.conversation({ run_id: input.run_id, node, seq });
        const [before, after] = await Promise.all([conversation(input.from), conversation(input.to)]);
        return toJson(after.slice(before.length));
      }),
    ),
  );
  if (!answer?.output || answer.input.to !== to || answer.input.from !== from) return null;
  return answer.output.map((messages, index) => {
    const node = answer.input.nodes[index] ?? '';
    if (messages.length === 0) return null;
    return (
      <section key={node} className={styles.state}>
        <div className={styles.head}>{texts.state.messagesAdded(messages.length, titles(node))}</div>
        <div className={styles.value}>
          <ValueTree label={texts.state.messagesAdded(messages.length, titles(node))} difference={wholeOf('added', messages)} />
        </div>
      </section>
    );
  });
}
