import { Select } from '@mantine/core';
import type { DocumentPath } from '#shared/flow/edit/flow-edit.ts';
import { isJsonObject, type JsonObject } from '#shared/json.ts';
import { ChoiceSetting, NumberSetting, SwitchSetting } from './agent-setting.tsx';
import { setField } from './edit-node.ts';
import styles from './inspector.module.css';
import { texts } from './texts.ts';

const modes = [
  { value: 'structured', label: texts.mode.structured },
  { value: 'chat', label: texts.mode.chat },
  { value: 'plan', label: texts.mode.plan },
  { value: 'redundant', label: texts.mode.redundant },
];

const votes = [
  { value: 'majority', label: texts.mode.majority },
  { value: 'first_valid', label: texts.mode.firstValid },
  { value: 'judge', label: texts.mode.judge },
];

interface AgentModeProps {
  readonly agent: JsonObject;
  readonly path: DocumentPath;
}

/** An agent's mode and the settings of that mode. */
export function AgentMode({ agent, path }: AgentModeProps) {
  const mode = typeof agent.mode === 'string' ? agent.mode : null;
  const setting = { agent, path };
  return (
    <>
      <Select
        label={texts.mode.label}
        data={modes}
        placeholder={texts.mode.automatic}
        clearable
        value={mode}
        onChange={(value) => setField([...path, 'mode'], value ?? undefined, texts.mode.edit)}
      />
      {mode === 'plan' && <PlanSettings {...setting} />}
      {mode === 'redundant' && (
        <>
          <div className={styles.row}>
            <NumberSetting label={texts.mode.replicas} placeholder="3" keys={['redundant', 'replicas']} {...setting} />
            <NumberSetting
              label={texts.mode.minAgreement}
              placeholder="0.5"
              step={0.1}
              max={1}
              keys={['redundant', 'min_agreement']}
              {...setting}
            />
          </div>
          <ChoiceSetting label={texts.mode.winner} data={votes} byDefault="majority" keys={['redundant', 'vote']} {...setting} />
        </>
      )}
    </>
  );
}

/** The settings of a plan. Types of steps and a plan of the document itself are edited as text. */
function PlanSettings({ agent, path }: AgentModeProps) {
  const setting = { agent, path };
  const plan = isJsonObject(agent.plan) ? agent.plan : {};
  const isTyped = ['steps', 'planner', 'fixed', 'parallel'].some((key) => plan[key] !== undefined);
  const types = isJsonObject(plan.steps) ? Object.keys(plan.steps) : [];
  return (
    <>
      {types.length > 0 && <p className={styles.hint}>{texts.mode.stepTypes(types)}</p>}
      {Array.isArray(plan.fixed) && <p className={styles.hint}>{texts.mode.fixedPlan(plan.fixed.length)}</p>}
      <div className={styles.row}>
        <NumberSetting label={texts.mode.maxSteps} placeholder="8" keys={['plan', 'max_steps']} {...setting} />
        <NumberSetting label={texts.mode.secondsPerStep} placeholder="60" keys={['plan', 'seconds_per_step']} {...setting} />
      </div>
      {isTyped && <NumberSetting label={texts.mode.stepsAtOnce} placeholder="4" min={1} keys={['plan', 'parallel']} {...setting} />}
      <SwitchSetting label={texts.mode.linear} byDefault={!isTyped} keys={['plan', 'linear']} {...setting} />
    </>
  );
}
