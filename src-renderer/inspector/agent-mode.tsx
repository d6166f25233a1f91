import { Select } from '@mantine/core';
import type { DocumentPath } from '#shared/flow/edit/flow-edit.ts';
import type { JsonObject } from '#shared/json.ts';
import { ChoiceSetting, NumberSetting, SwitchSetting } from './agent-setting.tsx';
import { setField } from './edit-node.ts';
import styles from './inspector.module.css';

const modes = [
  { value: 'structured', label: 'Structured: answers in the schema' },
  { value: 'chat', label: 'Chat: goes on until it only talks' },
  { value: 'plan', label: 'Plan: makes a plan and follows it' },
  { value: 'redundant', label: 'Redundant: several answers, one vote' },
];

const votes = [
  { value: 'majority', label: 'what most answer' },
  { value: 'first_valid', label: 'the first valid answer' },
  { value: 'judge', label: 'what the model judges best' },
];

interface AgentModeProps {
  readonly agent: JsonObject;
  readonly path: DocumentPath;
}

/** How an agent works, with what its mode can be told. */
export function AgentMode({ agent, path }: AgentModeProps) {
  const mode = typeof agent.mode === 'string' ? agent.mode : null;
  const setting = { agent, path };
  return (
    <>
      <Select
        label="Mode"
        data={modes}
        placeholder="by whether there are tools"
        clearable
        value={mode}
        onChange={(value) => setField([...path, 'mode'], value ?? undefined, 'Edit mode')}
      />
      {mode === 'plan' && (
        <>
          <div className={styles.row}>
            <NumberSetting label="Most steps" placeholder="8" keys={['plan', 'max_steps']} {...setting} />
            <NumberSetting label="Seconds a step" placeholder="60" keys={['plan', 'seconds_per_step']} {...setting} />
          </div>
          <SwitchSetting label="Each step sees all earlier results" byDefault keys={['plan', 'linear']} {...setting} />
        </>
      )}
      {mode === 'redundant' && (
        <>
          <div className={styles.row}>
            <NumberSetting label="Replicas" placeholder="3" keys={['redundant', 'replicas']} {...setting} />
            <NumberSetting
              label="Least agreement"
              placeholder="0.5"
              step={0.1}
              max={1}
              keys={['redundant', 'min_agreement']}
              {...setting}
            />
          </div>
          <ChoiceSetting label="Winner" data={votes} byDefault="majority" keys={['redundant', 'vote']} {...setting} />
        </>
      )}
    </>
  );
}
