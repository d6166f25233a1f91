import { ActionIcon, NativeSelect, NumberInput, Textarea } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { StripButton } from '#renderer/ui/controls/strip-button.tsx';
import { jsonText } from '#renderer/ui/forms/parse-json.ts';
import type { StateEntry } from '#shared/contract/runs.ts';
import { anyAgent } from '#shared/flow/any-agent.ts';
import styles from './matrix-form.module.css';
import { matrixTexts } from './matrix-texts.ts';
import { type LimitName, type MatrixInput, type PromptedAgent, stateFault } from './matrix-variants.ts';

const texts = matrixTexts.form;
const agentLimits: readonly LimitName[] = ['turns', 'seconds', 'tokens'];
const flowLimits: readonly LimitName[] = ['steps', 'seconds', 'model_calls', 'tokens'];

interface MatrixValuesProps {
  readonly input: MatrixInput;
  readonly agents: readonly PromptedAgent[];
  /** The states at the step from which the variants run. */
  readonly states: readonly StateEntry[];
  onChange(changes: Partial<MatrixInput>): void;
}

/** Limits and values of states that vary. */
export function MatrixValues({ input: { limits, states }, agents, states: waiting, onChange }: MatrixValuesProps) {
  return (
    <fieldset className={styles.group}>
      <legend>{texts.limits}</legend>
      {limits.map((limit, index) => {
        const set = (changes: Partial<typeof limit>) => onChange({ limits: limits.with(index, { ...limit, ...changes }) });
        const names = limit.node === anyAgent ? flowLimits : agentLimits;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place in the list
          <Row key={index} label={texts.limitOf(index + 1)} onRemove={() => onChange({ limits: limits.toSpliced(index, 1) })}>
            <NativeSelect
              className={styles.field}
              label={texts.limitAgent(index + 1)}
              data={[{ value: anyAgent, label: texts.wholeFlow }, ...agents.map(({ node, title }) => ({ value: node, label: title }))]}
              value={limit.node}
              onChange={({ currentTarget: { value } }) => set({ node: value, limit: value === anyAgent ? 'steps' : 'turns' })}
            />
            <NativeSelect
              className={styles.field}
              label={texts.limitOf(index + 1)}
              data={names.map((name) => ({ value: name, label: texts.limitNames[name] }))}
              value={limit.limit}
              onChange={({ currentTarget: { value } }) => set({ limit: value as LimitName })}
            />
            <NumberInput
              className={styles.field}
              label={texts.limitValue(index + 1)}
              min={1}
              value={limit.value}
              onChange={(value) => typeof value === 'number' && value > 0 && set({ value })}
            />
          </Row>
        );
      })}
      <StripButton
        icon={IconPlus}
        onClick={() =>
          onChange({ limits: [...limits, { node: agents[0]?.node ?? anyAgent, limit: agents[0] ? 'turns' : 'steps', value: 1 }] })
        }
      >
        {texts.addLimit}
      </StripButton>
      {states.map((state, index) => {
        const label = texts.state(state.state, states.slice(0, index + 1).filter((other) => other.state === state.state).length);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place in the list
          <Row key={index} label={label} onRemove={() => onChange({ states: states.toSpliced(index, 1) })}>
            <Textarea
              className={styles.field}
              label={label}
              autosize
              minRows={2}
              maxRows={8}
              spellCheck={false}
              styles={{ input: { fontFamily: 'var(--font-code)', fontSize: 12 } }}
              value={state.text}
              error={stateFault(state)}
              onChange={({ currentTarget }) => onChange({ states: states.with(index, { ...state, text: currentTarget.value }) })}
            />
          </Row>
        );
      })}
      {waiting.map(({ name, value }) => (
        <StripButton key={name} icon={IconPlus} onClick={() => onChange({ states: [...states, { state: name, text: jsonText(value) }] })}>
          {texts.addState(name)}
        </StripButton>
      ))}
    </fieldset>
  );
}

/** A row of fields with a button that removes it. */
export function Row({ label, onRemove, children }: { label: string; onRemove(): void; children: React.ReactNode }) {
  return (
    <div className={styles.row}>
      {children}
      <ActionIcon size={28} mt={24} aria-label={texts.remove(label)} onClick={onRemove}>
        <IconX size={14} />
      </ActionIcon>
    </div>
  );
}
