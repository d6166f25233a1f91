import { Button, Loader, SegmentedControl } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { failureOf } from '#renderer/api/failure.ts';
import { studio } from '#renderer/api/studio.ts';
import { nodeTitlesOf } from '#renderer/document/graph/node-titles.ts';
import { parsedText } from '#renderer/document/graph/parsed-text.ts';
import { showRunNow } from '#renderer/runs/model/open-run.ts';
import { shortRunName } from '#renderer/runs/model/run-name.ts';
import { runSessionStore } from '#renderer/runs/model/run-stores.ts';
import { panelsStore } from '#renderer/shell/panels.ts';
import { KeyHint } from '#renderer/ui/controls/key-hint.tsx';
import { TextWith } from '#renderer/ui/controls/text-with.tsx';
import { useSubmitKey } from '#renderer/ui/forms/use-submit-key.ts';
import { FailureText } from '#renderer/ui/values/failure-text.tsx';
import type { StateAt } from '#shared/contract/runs.ts';
import type { FlowChoice } from '#shared/contract/time-travel.ts';
import type { JsonSchema } from '#shared/json.ts';
import type { TransferableError } from '#shared/run/error.ts';
import { forkInPlace } from './continue-edited.ts';
import { type ForkEdits, faultsOfState, noEdits, otherMisfits, requestOf, withDropped, withValue } from './fork-edits.ts';
import styles from './fork-form.module.css';
import { ForkState } from './fork-state.tsx';
import { pastText } from './past-text.ts';
import { texts } from './texts.ts';
import { closeTimeTravelDialog, type TravelledRun } from './time-travel-dialogs.ts';
import { useFirstDifference } from './use-first-difference.ts';
import { useForkCheck } from './use-fork-check.ts';

interface ForkFormProps {
  readonly run: TravelledRun;
  readonly seq: number;
  readonly flow: FlowChoice;
  /** Whether the new run takes the place of this one, with the edited flow. */
  readonly continues?: boolean;
}

/** Starts a new run from a step of another one: with its states, which can be edited, and the original or current flow. */
export function ForkForm({ run, seq, flow: preferred, continues = false }: ForkFormProps) {
  const { run_id } = run;
  const [at, setAt] = useState<StateAt | null>(null);
  const [failure, setFailure] = useState<TransferableError | null>(null);
  const [edits, setEdits] = useState<ForkEdits>(noEdits);
  const [flow, setFlow] = useState<FlowChoice>(preferred);
  const [making, setMaking] = useState<'step' | 'run' | null>(null);
  const checked = useForkCheck(run_id, seq, edits, flow);
  const past = useFirstDifference(run_id, seq, flow);
  const earlier = past && pastText(past);
  const schemas = useSchemas(run, flow);
  const titles = nodeTitlesOf(run.flow_text, run.flow_path, run.titles);

  useEffect(() => {
    let mine = true;
    studio.runs.stateAt({ run_id, seq }).then(
      (state) => mine && setAt(state),
      (thrown) => mine && setFailure(failureOf(thrown)),
    );
    return () => {
      mine = false;
    };
  }, [run_id, seq]);

  async function make(how: 'step' | 'run') {
    if (making) return;
    setMaking(how);
    setFailure(null);
    try {
      const request = { run_id, seq, flow, ...requestOf(edits) };
      if (continues) {
        await forkInPlace(request, { how: how === 'run' ? 'continue' : 'step' });
        closeTimeTravelDialog();
        return;
      }
      const fork = await studio.runs.fork(request);
      closeTimeTravelDialog();
      await showRunNow({ run_id: fork.run_id, flow_path: run.flow_path });
      // A run that waits for an answer cannot continue before it has one.
      if (runSessionStore.getState().view?.status === 'suspended') panelsStore.getState().showRight('waiting');
      else if (how === 'run') await runSessionStore.getState().continue();
    } catch (thrown) {
      setFailure(failureOf(thrown));
    } finally {
      setMaking(null);
    }
  }

  const misfits = checked.check?.misfits ?? [];
  const apart = otherMisfits(misfits, at?.states.map(({ name }) => name) ?? []);
  const ready = checked.current && checked.check !== null && misfits.length === 0 && making === null;
  const body = useRef<HTMLDivElement>(null);
  useSubmitKey(body, true, () => {
    if (ready) void make('step');
  });
  return (
    <div ref={body} className={styles.body} tabIndex={-1} data-autofocus>
      <p className={styles.about}>
        <TextWith
          text={continues ? texts.continueEdited.about : texts.fork.about}
          parts={{ flow: <code>{run.flow_path}</code>, run: <code>{shortRunName(run_id)}</code> }}
        />
      </p>
      {!continues && (
        <div className={styles.choice}>
          <span id="fork-flow">{texts.fork.flow}</span>
          <SegmentedControl
            aria-labelledby="fork-flow"
            value={flow}
            data={[
              { value: 'recorded', label: texts.fork.original },
              { value: 'current', label: texts.fork.current },
            ]}
            onChange={(next) => setFlow(next === 'current' ? 'current' : 'recorded')}
          />
        </div>
      )}
      {!at && !failure && <Loader size="sm" role="img" aria-label={texts.fork.loading} />}
      {at?.states.length === 0 && <p className={styles.about}>{texts.fork.noStates}</p>}
      {at?.states.map((state) => (
        <ForkState
          key={state.name}
          state={state}
          schema={schemas[state.name] ?? true}
          edited={edits.values[state.name]}
          dropped={edits.dropped.includes(state.name)}
          faults={faultsOfState(misfits, state.name)}
          open={at.states.length === 1}
          onChange={(value) => setEdits((before) => withValue(before, state, value))}
          onDrop={(drop) => setEdits((before) => withDropped(before, state.name, drop))}
          onSubmit={() => ready && void make('step')}
        />
      ))}
      <div className={styles.verdict} role="status">
        {apart.map(({ path, message }) => (
          <p key={path + message} className={styles.misfit}>
            <code>{path}</code> {message}
          </p>
        ))}
        {misfits.length > 0 && (
          <p className={styles.misfit}>{continues ? texts.continueEdited.misfits(misfits.length) : texts.fork.misfits(misfits.length)}</p>
        )}
        {earlier !== null && (
          <p className={styles.note}>
            {earlier} {past?.divergence && texts.fork.past.stays}
          </p>
        )}
        {checked.check?.notes.map((note) => (
          <p key={note} className={styles.note}>
            {note}
          </p>
        ))}
        {checked.check && misfits.length === 0 && (
          <p className={styles.note}>
            {checked.check.next === null ? texts.fork.startsNowhere : texts.fork.startsAt(titles(checked.check.next))}
          </p>
        )}
      </div>
      {checked.failure && <FailureText failure={checked.failure} />}
      {failure && <FailureText failure={failure} />}
      <div className={styles.buttons}>
        <Button variant="default" onClick={closeTimeTravelDialog}>
          {texts.cancel}
        </Button>
        <Button variant="default" disabled={!ready} loading={making === 'run'} onClick={() => void make('run')}>
          {continues ? texts.fork.continue : texts.fork.run}
        </Button>
        <Button
          disabled={!ready}
          loading={making === 'step'}
          rightSection={<KeyHint keys="Ctrl+Enter" />}
          onClick={() => void make('step')}
        >
          {continues ? texts.fork.step : texts.fork.stepOnce}
        </Button>
      </div>
    </div>
  );
}

/** The schemas of the chosen flow version. */
function useSchemas({ flow_text, flow_path }: TravelledRun, flow: FlowChoice): Readonly<Record<string, JsonSchema>> {
  const [current, setCurrent] = useState<string | null>(null);
  useEffect(() => {
    if (flow !== 'current') return;
    let mine = true;
    // If it cannot be read, the check reports that; the forms keep those of the original flow.
    studio.flows.read({ path: flow_path }).then(
      ({ text }) => mine && setCurrent(text),
      () => undefined,
    );
    return () => {
      mine = false;
    };
  }, [flow, flow_path]);
  const text = flow === 'current' && current !== null ? current : flow_text;
  return (parsedText(text, flow_path).outline.schemas ?? {}) as Readonly<Record<string, JsonSchema>>;
}
