import { Button, Loader, Modal } from '@mantine/core';
import { IconAlertTriangle, IconPinFilled } from '@tabler/icons-react';
import { useCallback, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { failureOf } from '#renderer/api/failure.ts';
import { studio } from '#renderer/api/studio.ts';
import type { StartPace } from '#renderer/runs/model/run-session.ts';
import { runSessionStore } from '#renderer/runs/model/run-stores.ts';
import { texts as suppliedTexts } from '#renderer/runs/supplied/texts.ts';
import { useSuppliedCount } from '#renderer/runs/supplied/use-supplied.ts';
import { panelsStore } from '#renderer/shell/panels.ts';
import { KeyHint } from '#renderer/ui/controls/key-hint.tsx';
import { TextWith } from '#renderer/ui/controls/text-with.tsx';
import type { FieldFault } from '#renderer/ui/forms/field-faults.ts';
import { firstValue } from '#renderer/ui/forms/first-value.ts';
import { inputFaults } from '#renderer/ui/forms/input-faults.ts';
import { useSubmitKey } from '#renderer/ui/forms/use-submit-key.ts';
import { ValueEditor } from '#renderer/ui/forms/value-editor.tsx';
import { FailureText } from '#renderer/ui/values/failure-text.tsx';
import { consentStore } from '#renderer/workspace/consent/consent-store.ts';
import type { Json, JsonSchema } from '#shared/json.ts';
import type { TransferableError } from '#shared/run/error.ts';
import { agentsOf, ModelChoice } from './model-choice.tsx';
import styles from './run-dialog.module.css';
import { closeRunRequest, type RunRequest, runRequestStore } from './run-request.ts';
import { texts } from './texts.ts';

interface InputForm {
  readonly schema: JsonSchema;
  readonly last_input: Json;
}

/** The dialog that asks for the input of a new run. */
export function RunDialog() {
  const request = useStore(runRequestStore, (state) => state.request);
  const asked = useStore(consentStore, (state) => state.question !== null);
  const [shown, setShown] = useState(request);
  // While the dialog closes, it still shows its content.
  if (request && request !== shown) setShown(request);
  return (
    <Modal
      opened={request !== null}
      onClose={closeRunRequest}
      title={texts.start.title}
      size="lg"
      // Escape answers the question above this dialog first.
      closeOnEscape={!asked}
      closeButtonProps={{ 'aria-label': texts.close }}
      // It closes at once, so that the next key already reaches the debugger.
      transitionProps={{ duration: 0 }}
    >
      {shown && <RunForm key={`${shown.flow.path} ${shown.pace}`} request={shown} />}
    </Modal>
  );
}

function RunForm({ request }: { request: RunRequest }) {
  const { flow, pace, input: proposed } = request;
  const formId = useId();
  const [form, setForm] = useState<InputForm | null>(null);
  const [value, setValue] = useState<Json | undefined>(undefined);
  const [failure, setFailure] = useState<TransferableError | null>(null);
  const [faults, setFaults] = useState<readonly FieldFault[]>([]);
  const asked = useStore(consentStore, (state) => state.question !== null);
  const [starting, setStarting] = useState<StartPace | null>(null);
  const [wanted, setWanted] = useState(pace);
  const [models, setModels] = useState<Readonly<Record<string, string>>>({});
  const agents = useMemo(() => agentsOf(flow), [flow]);

  useEffect(() => {
    let mine = true;
    studio.flows.inputForm({ path: flow.path, text: flow.text }).then(
      ({ schema, last_input }) => {
        if (!mine) return;
        setForm({ schema: schema as JsonSchema, last_input });
        setValue(proposed ?? last_input ?? firstValue(schema as JsonSchema));
      },
      (thrown) => mine && setFailure(failureOf(thrown)),
    );
    return () => {
      mine = false;
    };
  }, [flow, proposed]);

  // The form comes a moment after the dialog or, on a busy machine, a moment before the dialog gives the focus away: either way its first field has it in the end.
  const focusFirstField = useCallback(
    () => document.getElementById(formId)?.querySelector<HTMLElement>('input, textarea')?.focus(),
    [formId],
  );
  useEffect(() => {
    if (form) focusFirstField();
  }, [form, focusFirstField]);

  async function start(input: Json) {
    if (starting) return;
    setStarting(wanted);
    setFailure(null);
    await runSessionStore.getState().start({ flow_path: flow.path, text: flow.text, input, models, pace: wanted });
    setStarting(null);
    const refused = runSessionStore.getState().failure;
    if (!refused) return closeRunRequest();
    runSessionStore.getState().dismissFailure();
    setFaults(inputFaults(refused));
    setFailure(refused);
  }

  const body = useRef<HTMLDivElement>(null);
  useSubmitKey(body, !asked, () => {
    const element = document.getElementById(formId);
    if (element instanceof HTMLFormElement) element.requestSubmit();
  });

  function showProblems() {
    closeRunRequest();
    panelsStore.getState().showBottom('problems');
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: The dialog gives it the focus, which it hands on to the first field
    <div
      ref={body}
      className={styles.body}
      tabIndex={-1}
      data-autofocus
      onFocus={(event) => event.target === event.currentTarget && focusFirstField()}
    >
      <p className={styles.about}>
        <TextWith text={texts.start.about} parts={{ flow: <code>{flow.path}</code> }} />
      </p>
      <Supplied />
      {flow.errors > 0 && (
        <div className={styles.errors}>
          <IconAlertTriangle size={16} aria-hidden="true" />
          <span>{texts.start.errors(flow.errors)}</span>
          <Button variant="default" size="compact-xs" onClick={showProblems}>
            {texts.start.showErrors(flow.errors)}
          </Button>
        </div>
      )}
      {!form && !failure && <Loader size="sm" role="img" aria-label={texts.start.loading} />}
      {form && (
        <ValueEditor
          id={formId}
          label={texts.start.input}
          schema={form.schema}
          value={value}
          faults={faults}
          defaults
          onChange={(next) => {
            setValue(next);
            setFaults([]);
          }}
          onSubmit={(input) => void start(input)}
        />
      )}
      {form && <ModelChoice agents={agents} chosen={models} onChange={setModels} />}
      {failure && <FailureText failure={failure} />}
      <div className={styles.buttons}>
        <Button variant="default" onClick={closeRunRequest}>
          {texts.cancel}
        </Button>
        <Button
          type="submit"
          form={formId}
          variant={pace === 'pause' ? 'filled' : 'default'}
          disabled={!form || starting !== null}
          loading={starting === 'pause' && !asked}
          onClick={() => setWanted('pause')}
        >
          {texts.start.step}
        </Button>
        <Button
          type="submit"
          form={formId}
          variant={pace === 'continue' ? 'filled' : 'default'}
          disabled={!form || starting !== null}
          loading={starting === 'continue' && !asked}
          rightSection={pace === 'continue' ? <KeyHint keys="Ctrl+Enter" /> : undefined}
          onClick={() => setWanted('continue')}
        >
          {texts.start.run}
        </Button>
      </div>
    </div>
  );
}

function Supplied() {
  const count = useSuppliedCount();
  if (count === 0) return null;
  return (
    <p className={styles.supplied}>
      <IconPinFilled size={14} aria-hidden="true" />
      {suppliedTexts.count(count)}
    </p>
  );
}
