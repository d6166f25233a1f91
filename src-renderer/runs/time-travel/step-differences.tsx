import { TextWith } from '#renderer/ui/controls/text-with.tsx';
import { previewOf } from '#renderer/ui/values/value-preview.ts';
import type { ComparedEffect, ComparedStep, StepComparison, ValueChange } from '#shared/contract/time-travel.ts';
import type { Json } from '#shared/json.ts';
import styles from './step-differences.module.css';
import { texts } from './texts.ts';

interface StepDifferencesProps {
  readonly step: ComparedStep;
  readonly differences: StepComparison;
  readonly names: readonly [string, string];
}

/** The differences between a step and its counterpart in the other run, side by side. */
export function StepDifferences({ step, differences, names }: StepDifferencesProps) {
  const { states, effects, messages } = differences;
  const changed = states.filter(({ changes }) => changes.length > 0);
  const same = states.filter(({ changes }) => changes.length === 0);
  return (
    <div className={styles.differences}>
      {changed.map(({ name, changes }) => (
        <Part key={name} heading={texts.compare.state} name={name} names={names} changes={changes} />
      ))}
      {same.length > 0 && (
        <p className={styles.note}>
          <TextWith text={texts.compare.same} parts={{ states: <code>{same.map(({ name }) => name).join(', ')}</code> }} />
        </p>
      )}
      {effects.map((effect) => (
        <Effect key={effect.key} effect={effect} names={names} />
      ))}
      {messages.length > 0 && <Part heading={texts.compare.conversation} name="" names={names} changes={messages} />}
      {changed.length === 0 && messages.length === 0 && effects.every(isSame) && step.differs.length === 0 && (
        <p className={styles.note}>{texts.compare.noDifference}</p>
      )}
    </div>
  );
}

function isSame({ in: where, input, outcome }: ComparedEffect): boolean {
  return where === 'both' && input.length === 0 && outcome.length === 0;
}

function Effect({ effect, names }: { effect: ComparedEffect; names: readonly [string, string] }) {
  const { kind, name, input, outcome, in: where } = effect;
  if (isSame(effect))
    return (
      <p className={styles.note}>
        <TextWith text={texts.compare.sameEffect(texts.compare.effect[kind])} parts={{ name: <code>{name}</code> }} />
      </p>
    );
  const only = where === 'both' ? null : names[where === 'first' ? 0 : 1];
  return (
    <>
      <Part
        heading={texts.compare.called(texts.compare.effect[kind], only)}
        name={name}
        names={names}
        changes={input.map(within('input'))}
      />
      {outcome.length > 0 && <Part heading={texts.compare.effectResult} name={name} names={names} changes={outcome} />}
    </>
  );
}

function within(part: string): (change: ValueChange) => ValueChange {
  return (change) => ({ ...change, path: `/${part}${change.path}` });
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
          <th scope="col">{texts.compare.path}</th>
          <th scope="col">{names[0]}</th>
          <th scope="col">{names[1]}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ path, before, after }) => (
          <tr key={path}>
            <th scope="row">
              <code>{path === '' ? texts.compare.wholeValue : path}</code>
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
  if (value === undefined) return <span className={styles.note}>{texts.compare.nothing}</span>;
  return <span className={styles.value}>{typeof value === 'string' ? value : previewOf(value, 400)}</span>;
}
