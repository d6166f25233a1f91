import { previewOf } from '#renderer/debugger/value-preview.ts';
import type { ComparedEffect, ComparedStep, StepComparison, ValueChange } from '#shared/contract/time-travel.ts';
import type { Json } from '#shared/json.ts';
import styles from './step-differences.module.css';

interface StepDifferencesProps {
  readonly step: ComparedStep;
  readonly differences: StepComparison;
  readonly names: readonly [string, string];
}

/** What differs between a step of one run and its counterpart, the values of both side by side. */
export function StepDifferences({ step, differences, names }: StepDifferencesProps) {
  const { states, effects, messages } = differences;
  const changed = states.filter(({ changes }) => changes.length > 0);
  const same = states.filter(({ changes }) => changes.length === 0);
  return (
    <div className={styles.differences}>
      {changed.map(({ name, changes }) => (
        <Part key={name} heading="State" name={name} names={names} changes={changes} />
      ))}
      {same.length > 0 && (
        <p className={styles.note}>
          The same in both: <code>{same.map(({ name }) => name).join(', ')}</code>
        </p>
      )}
      {effects.map((effect) => (
        <Effect key={effect.key} effect={effect} names={names} />
      ))}
      {messages.length > 0 && <Part heading="Conversation" name="" names={names} changes={messages} />}
      {changed.length === 0 && messages.length === 0 && effects.every(isSame) && step.differs.length === 0 && (
        <p className={styles.note}>Nothing differs in this step.</p>
      )}
    </div>
  );
}

function isSame({ in: where, input, outcome }: ComparedEffect): boolean {
  return where === 'both' && input.length === 0 && outcome.length === 0;
}

const kinds: Record<ComparedEffect['kind'], string> = { model: 'Model', tool: 'Tool', handler: 'Code' };

function Effect({ effect, names }: { effect: ComparedEffect; names: readonly [string, string] }) {
  const { kind, name, input, outcome, in: where } = effect;
  if (isSame(effect))
    return (
      <p className={styles.note}>
        {kinds[kind]} <code>{name}</code>: the same in both
      </p>
    );
  const only = where === 'both' ? '' : ` · only in ${names[where === 'first' ? 0 : 1]}`;
  return (
    <>
      <Part heading={`${kinds[kind]} called${only}`} name={name} names={names} changes={input.map(within('input'))} />
      {outcome.length > 0 && <Part heading="Its result" name={name} names={names} changes={outcome} />}
    </>
  );
}

function within(place: string): (change: ValueChange) => ValueChange {
  return (change) => ({ ...change, path: `/${place}${change.path}` });
}

interface PartProps {
  readonly heading: string;
  readonly name: string;
  readonly names: readonly [string, string];
  readonly changes: readonly ValueChange[];
}

function Part({ heading, name, names, changes }: PartProps) {
  return (
    <table className={styles.part}>
      <caption className={styles.caption}>
        {heading} {name && <code>{name}</code>}
      </caption>
      <thead>
        <tr>
          <th scope="col">Place</th>
          <th scope="col">{names[0]}</th>
          <th scope="col">{names[1]}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ path, before, after }) => (
          <tr key={path}>
            <th scope="row">
              <code>{path === '' ? 'all of it' : path}</code>
            </th>
            <td>
              <Value value={before} />
            </td>
            <td>
              <Value value={after} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Value({ value }: { value: Json | undefined }) {
  if (value === undefined) return <span className={styles.note}>nothing</span>;
  return <span className={styles.value}>{typeof value === 'string' ? value : previewOf(value, 400)}</span>;
}
