import { Button, Loader } from '@mantine/core';
import { IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import { useEffect, useId, useRef, useState } from 'react';
import { flowWords, triedFlow } from '#renderer/document/flows/tried-flow.ts';
import { SuspensionCard } from '#renderer/runs/inbox/suspension-card.tsx';
import { cardOf } from '#renderer/runs/inbox/waiting-panel.tsx';
import { RunStatusMark } from '#renderer/runs/list/run-status.tsx';
import { isActive, type RunView } from '#renderer/runs/model/run-fold.ts';
import { runSessionStore } from '#renderer/runs/model/run-stores.ts';
import { runSubjectStore } from '#renderer/runs/model/run-subject.ts';
import { useRunSession } from '#renderer/runs/model/use-run-session.ts';
import { firstValue } from '#renderer/ui/forms/first-value.ts';
import { ValueEditor } from '#renderer/ui/forms/value-editor.tsx';
import { FailureText } from '#renderer/ui/values/failure-text.tsx';
import { wholeOf } from '#renderer/ui/values/value-difference.ts';
import { ValueTree } from '#renderer/ui/values/value-tree.tsx';
import type { ToolInfo } from '#shared/contract/tools.ts';
import { triedPath } from '#shared/flow/tried-path.ts';
import type { Json, JsonSchema } from '#shared/json.ts';
import type { TransferableError } from '#shared/run/error.ts';
import { texts } from './texts.ts';
import styles from './try-tool.module.css';

/** Calls the tool once with the entered input, by the same rules as in a flow, and shows the result. */
export function TryTool({ tool }: { tool: ToolInfo }) {
  const formId = useId();
  const schema = tool.input_schema as JsonSchema;
  const [value, setValue] = useState<Json | undefined>(() => firstValue(schema));
  const [failure, setFailure] = useState<TransferableError | null>(null);
  const [started, setStarted] = useState(false);
  const flow_path = triedPath(tool.name);
  const view = useRunSession((state) => (started && state.view?.flow_path === flow_path ? state.view : null));
  const busy = useRunSession((state) => state.call === 'start') || (view !== null && isActive(view.status));

  // The debugger goes back to the flow on the canvas, and to the run that was shown with it.
  useEffect(() => {
    if (!started) return;
    return () => {
      const { flow } = runSubjectStore.getState();
      if (flow) runSessionStore.getState().focusFlow(flow);
      else runSessionStore.getState().close();
    };
  }, [started]);

  async function call(input: Json) {
    if (busy) return;
    setFailure(null);
    setStarted(true);
    await runSessionStore.getState().start({ flow_path, text: triedFlow(tool), input, pace: 'continue' });
    const refused = runSessionStore.getState().failure;
    if (!refused) return;
    runSessionStore.getState().dismissFailure();
    setFailure(refused);
  }

  return (
    <section className={styles.try} aria-label={flowWords(flow_path)}>
      <h3 className={styles.heading}>{texts.try.heading}</h3>
      <ValueEditor
        id={formId}
        label={texts.try.input}
        schema={schema}
        value={value}
        defaults
        disabled={busy}
        onChange={setValue}
        onSubmit={(input) => void call(input)}
      />
      <div className={styles.buttons}>
        <Button type="submit" form={formId} loading={busy} leftSection={<IconPlayerPlay size={14} aria-hidden="true" />}>
          {texts.try.call}
        </Button>
        {view && isActive(view.status) && (
          <Button
            variant="default"
            leftSection={<IconPlayerStop size={14} aria-hidden="true" />}
            onClick={() => void runSessionStore.getState().stop()}
          >
            {texts.try.stop}
          </Button>
        )}
      </div>
      {failure && <FailureText failure={failure} />}
      {view && <Outcome view={view} />}
    </section>
  );
}

function Outcome({ view }: { view: RunView }) {
  const box = useRef<HTMLDivElement>(null);
  const card = cardOf(view);
  // The tool's failure is the cause of the failure of the code that called it.
  const error = view.error?.cause ?? view.error;
  // The result is below a form that may be long.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another status is the reason to look at it again
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'nearest' });
  }, [view.status]);
  return (
    <div ref={box} className={styles.outcome} role="status" aria-label={texts.try.outcome}>
      <RunStatusMark status={view.status} />
      {isActive(view.status) && <Loader size="xs" role="img" aria-label={texts.try.running} />}
      {card && <SuspensionCard key={card.suspension.tool_call_id} {...card} />}
      {view.status === 'error' && error && <FailureText failure={error} />}
      {view.status === 'success' && <ValueTree label={texts.try.result} difference={wholeOf('same', view.output)} />}
    </div>
  );
}
