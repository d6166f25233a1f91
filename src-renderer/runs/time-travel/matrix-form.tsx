import { Button, NumberInput, SegmentedControl, Textarea } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { failureOf } from '#renderer/api/failure.ts';
import { studio } from '#renderer/api/studio.ts';
import { StripButton } from '#renderer/ui/controls/strip-button.tsx';
import { TextWith } from '#renderer/ui/controls/text-with.tsx';
import { FailureText } from '#renderer/ui/values/failure-text.tsx';
import { ModelField } from '#renderer/workspace/models/model-field.tsx';
import { type MatrixCheck, mostVariants } from '#shared/contract/matrix.ts';
import type { StateEntry } from '#shared/contract/runs.ts';
import { listed } from '#shared/flow/checks/report.ts';
import type { TransferableError } from '#shared/run/error.ts';
import formStyles from './fork-form.module.css';
import { moneyText } from './matrix-cells.ts';
import styles from './matrix-form.module.css';
import { startMatrix } from './matrix-store.ts';
import { matrixTexts } from './matrix-texts.ts';
import { MatrixValues, Row } from './matrix-values.tsx';
import { type MatrixInput, promptedAgents, stateFault, variantsOf } from './matrix-variants.ts';
import { texts as travelTexts } from './texts.ts';
import { closeTimeTravelDialog, type TravelledRun } from './time-travel-dialogs.ts';
import { useMatrixCheck } from './use-matrix-check.ts';

const texts = matrixTexts.form;

/** Enters what varies, and runs the variants of a run from one of its steps. */
export function MatrixForm({ run, seq }: { run: TravelledRun; seq: number }) {
  const agents = promptedAgents(run.flow_text, run.flow_path);
  const [input, setInput] = useState<MatrixInput>({
    models: agents.length > 0 ? [''] : [],
    prompts: {},
    limits: [],
    states: [],
    repeat: 1,
    flow: 'recorded',
  });
  const [failure, setFailure] = useState<TransferableError | null>(null);
  const [starting, setStarting] = useState(false);
  const states = useStatesAt(run.run_id, seq);
  const variants = variantsOf(input, agents);
  const checked = useMatrixCheck(run.run_id, seq, variants);
  const fits =
    checked.check !== null &&
    input.states.every((state) => stateFault(state) === null) &&
    !checked.check.copy?.too_large &&
    checked.check.variants.every(({ misfits }) => misfits.length === 0);
  const change = (changes: Partial<MatrixInput>) => setInput((before) => ({ ...before, ...changes }));
  const setPrompts = (node: string, prompts: readonly string[]) => change({ prompts: { ...input.prompts, [node]: prompts } });

  async function start() {
    setStarting(true);
    setFailure(null);
    try {
      await startMatrix({ run_id: run.run_id, seq, variants });
      closeTimeTravelDialog();
    } catch (thrown) {
      setFailure(failureOf(thrown));
    } finally {
      setStarting(false);
    }
  }

  return (
    <div className={formStyles.body} tabIndex={-1} data-autofocus>
      <p className={formStyles.about}>
        <TextWith text={texts.about} parts={{ flow: <code>{run.flow_path}</code> }} />
      </p>
      {agents.length === 0 && <p className={formStyles.about}>{texts.noAgents}</p>}
      {agents.length > 0 && (
        <fieldset className={styles.group}>
          <legend>{texts.models}</legend>
          {input.models.map((model, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place in the list
            <Row key={index} label={texts.model(index + 1)} onRemove={() => change({ models: input.models.toSpliced(index, 1) })}>
              <ModelField
                className={styles.field}
                label={texts.model(index + 1)}
                placeholder={texts.modelHint}
                value={model}
                onChange={(url) => change({ models: input.models.with(index, url) })}
              />
            </Row>
          ))}
          <StripButton icon={IconPlus} onClick={() => change({ models: [...input.models, ''] })}>
            {texts.addModel}
          </StripButton>
        </fieldset>
      )}
      {agents.length > 0 && (
        <fieldset className={styles.group}>
          <legend>{texts.prompts}</legend>
          {agents.map(({ node, title, prompt }) => {
            const prompts = input.prompts[node] ?? [];
            return (
              <div key={node} className={styles.agent}>
                {prompts.map((text, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place in the list
                  <Row key={index} label={texts.prompt(title, index + 1)} onRemove={() => setPrompts(node, prompts.toSpliced(index, 1))}>
                    <Textarea
                      className={styles.field}
                      label={texts.prompt(title, index + 1)}
                      autosize
                      minRows={2}
                      maxRows={8}
                      value={text}
                      onChange={({ currentTarget }) => setPrompts(node, prompts.with(index, currentTarget.value))}
                    />
                  </Row>
                ))}
                <StripButton icon={IconPlus} onClick={() => setPrompts(node, [...prompts, prompt])}>
                  {texts.addPrompt(title)}
                </StripButton>
              </div>
            );
          })}
        </fieldset>
      )}
      <MatrixValues input={input} agents={agents} states={states} onChange={change} />
      <div className={styles.line}>
        <NumberInput
          label={texts.repeat}
          min={1}
          max={mostVariants}
          allowDecimal={false}
          w={120}
          value={input.repeat}
          onChange={(value) => typeof value === 'number' && value >= 1 && change({ repeat: Math.min(mostVariants, Math.floor(value)) })}
        />
        <div className={formStyles.choice}>
          <span id="matrix-flow">{texts.flow}</span>
          <SegmentedControl
            aria-labelledby="matrix-flow"
            value={input.flow}
            data={[
              { value: 'recorded', label: travelTexts.fork.original },
              { value: 'current', label: travelTexts.fork.current },
            ]}
            onChange={(flow) => change({ flow: flow === 'current' ? 'current' : 'recorded' })}
          />
        </div>
      </div>
      <div className={formStyles.verdict} role="status">
        {variants.length === 0 && <p className={formStyles.note}>{texts.nothing}</p>}
        {variants.length > mostVariants && <p className={formStyles.misfit}>{texts.tooMany(variants.length, mostVariants)}</p>}
        {checked.check && <Verdict check={checked.check} />}
      </div>
      {checked.failure && <FailureText failure={checked.failure} />}
      {failure && <FailureText failure={failure} />}
      <div className={formStyles.buttons}>
        <Button variant="default" onClick={closeTimeTravelDialog}>
          {travelTexts.cancel}
        </Button>
        <Button disabled={!fits} loading={starting} onClick={() => void start()}>
          {texts.run(variants.length)}
        </Button>
      </div>
    </div>
  );
}

/** What the variants would use and change, and which of them don't fit. */
function Verdict({ check: { variants, estimate, writes, outside, copy } }: { check: MatrixCheck }) {
  const { calls, tokens, cost } = estimate;
  const misfits = variants.flatMap(({ name, misfits }) => misfits.slice(0, 1).map(({ message }) => texts.misfit(name, message)));
  return (
    <>
      {[...misfits, ...(copy?.too_large ? [copy.too_large] : [])].map((text) => (
        <p key={text} className={formStyles.misfit}>
          {text}
        </p>
      ))}
      <p className={formStyles.note}>
        {calls === 0 ? texts.unknownCost : texts.estimate(calls, tokens, cost === null ? null : moneyText(cost))}
      </p>
      {copy && !copy.too_large && <p className={formStyles.note}>{texts.copy(listed(writes), copy.files, copy.bytes)}</p>}
      {outside.length > 0 && <p className={formStyles.note}>{texts.outside(listed(outside))}</p>}
    </>
  );
}

/** The states at the step from which the variants run; none until they have been read. */
function useStatesAt(run_id: string, seq: number): readonly StateEntry[] {
  const [states, setStates] = useState<readonly StateEntry[]>([]);
  useEffect(() => {
    let current = true;
    studio.runs.stateAt({ run_id, seq }).then(
      (at) => current && setStates(at.states),
      // The check below the form reports why the run can't be read.
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, [run_id, seq]);
  return states;
}
