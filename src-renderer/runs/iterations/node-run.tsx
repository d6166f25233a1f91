import { ActionIcon, Button, SegmentedControl } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconFilter, IconPinFilled, IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import { failureOf } from '#renderer/api/failure.ts';
import { studio } from '#renderer/api/studio.ts';
import type { RunView } from '#renderer/runs/model/run-fold.ts';
import { shortRunName } from '#renderer/runs/model/run-name.ts';
import { runSessionStore } from '#renderer/runs/model/run-stores.ts';
import { filterTimeline } from '#renderer/runs/model/timeline-filter.ts';
import { useRunSession } from '#renderer/runs/model/use-run-session.ts';
import { texts as suppliedTexts } from '#renderer/runs/supplied/texts.ts';
import { comparisonStore } from '#renderer/runs/time-travel/comparison.ts';
import { noticeProblem } from '#renderer/shell/notices.ts';
import { panelsStore } from '#renderer/shell/panels.ts';
import { EmptyState } from '#renderer/ui/controls/empty-state.tsx';
import { durationText } from '#renderer/ui/values/durations.ts';
import { FailureText } from '#renderer/ui/values/failure-text.tsx';
import { differenceOf, wholeOf } from '#renderer/ui/values/value-difference.ts';
import { ValueTree } from '#renderer/ui/values/value-tree.tsx';
import type { IterationDetail } from '#shared/contract/iterations.ts';
import type { Json } from '#shared/json.ts';
import { JumpMenu } from './jump-menu.tsx';
import styles from './node-run.module.css';
import { texts } from './texts.ts';
import { chooseRound, type NodeOfRun, useIteration } from './use-iteration.ts';
import { useReading } from './use-reading.ts';

const number = new Intl.NumberFormat('en');

interface NodeRunProps {
  /** The node's id in the run. */
  readonly node: string;
  /** True for a nested flow. */
  readonly nested: boolean;
}

/** Changes when there may be more to read of a run. */
export function versionOf({ seq, status, updated_at }: RunView): string {
  return `${seq} ${status} ${updated_at}`;
}

type States = IterationDetail['input'];

/** What the shown run did at a node: the round at the selected step, with its values, log and cost. Choosing another round selects its step. */
export function NodeRun(props: NodeRunProps) {
  const view = useRunSession((state) => state.view);
  return view && <Rounds {...props} view={view} />;
}

function Rounds({ view, node, nested }: NodeRunProps & { readonly view: RunView }) {
  const selected = useRunSession((state) => state.selected);
  const subject = { run_id: view.run_id, node, nested };
  const read = useIteration({ ...subject, seq: selected }, versionOf(view));

  async function showRound(index: number) {
    try {
      await chooseRound(subject, index);
    } catch (thrown) {
      noticeProblem(texts.rounds, failureOf(thrown).message);
    }
  }

  if (!read) return <div className={styles.panel} aria-busy="true" />;
  if (read.failure) return <FailureText failure={read.failure} />;
  const { total, iteration } = read.output;
  if (!iteration) {
    return (
      <div className={styles.panel}>
        {total > 0 && <Pager index={0} total={total} onShow={showRound} />}
        <EmptyState icon={IconPlayerPlay} title={total > 0 && selected !== null ? texts.notAtStep(selected) : texts.notYet}>
          {texts.notYetHint}
        </EmptyState>
      </div>
    );
  }
  const error = iteration.status === 'failed' ? view.error : null;
  return (
    <section className={styles.panel} aria-label={texts.label}>
      <div className={styles.head}>
        <Pager index={iteration.index} total={total} onShow={showRound} />
        {total > 1 && !nested && <JumpMenu subject={subject} />}
        <span className={styles.status} data-status={iteration.status}>
          {texts.status[iteration.status]}
        </span>
        <ActionIcon
          size={24}
          className={styles.filter ?? ''}
          aria-label={texts.onlyThisNode}
          title={texts.onlyThisNode}
          onClick={() => {
            filterTimeline({ flow_path: view.flow_path, node, nested });
            panelsStore.getState().showBottom('timeline');
          }}
        >
          <IconFilter size={14} />
        </ActionIcon>
      </div>
      <Numbers iteration={iteration} />
      <Supplied iteration={iteration} />
      {error && <p className={styles.error}>{error.message}</p>}
      <Values title={texts.input} states={iteration.input} aside={<StepLink iteration={iteration} />} />
      <Output iteration={iteration} subject={subject} />
      <Log iteration={iteration} />
    </section>
  );
}

/** `‹ 7 of 20 ›`; index 0 is before the first round. */
function Pager({ index, total, onShow }: { index: number; total: number; onShow(index: number): void }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields
    <div className={styles.pager} role="group" aria-label={texts.rounds}>
      <span className={styles.label}>{texts.rounds}</span>
      <ActionIcon size={24} aria-label={texts.previous} title={texts.previous} disabled={index <= 1} onClick={() => onShow(index - 1)}>
        <IconChevronLeft size={14} />
      </ActionIcon>
      <output className={styles.round}>{texts.round(index, total)}</output>
      <ActionIcon size={24} aria-label={texts.next} title={texts.next} disabled={index >= total} onClick={() => onShow(index + 1)}>
        <IconChevronRight size={14} />
      </ActionIcon>
    </div>
  );
}

/** Says that the round's output, or calls in it, were not real. */
function Supplied({ iteration: { pinned, mocked } }: { iteration: IterationDetail }) {
  if (!pinned && mocked === 0) return null;
  return (
    <p className={styles.supplied}>
      <IconPinFilled size={13} aria-hidden="true" />
      {pinned ? suppliedTexts.suppliedBy.pin : suppliedTexts.suppliedBy.mock(mocked)}
    </p>
  );
}

function Numbers({ iteration }: { iteration: IterationDetail }) {
  const { duration_ms, tokens, turns, models } = iteration;
  return (
    <>
      <dl className={styles.numbers}>
        <Figure label={texts.time} value={durationText(duration_ms)} />
        {(tokens > 0 || turns > 0) && <Figure label={texts.tokens} value={number.format(tokens)} />}
        {turns > 0 && <Figure label={texts.turns(turns)} value={number.format(turns)} />}
      </dl>
      {models.length > 0 && (
        <p className={styles.model}>
          <span>{texts.model}</span> <code>{models.join(', ')}</code>
        </p>
      )}
    </>
  );
}

function Figure({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dd>{value}</dd>
      <dt>{label}</dt>
    </div>
  );
}

function StepLink({ iteration: { from_seq, to_seq, status } }: { iteration: IterationDetail }) {
  const show = () => {
    runSessionStore.getState().select(to_seq);
    panelsStore.getState().showBottom('timeline');
  };
  return (
    <button
      type="button"
      className={styles.link}
      title={texts.showStep}
      onClick={show}
      disabled={status === 'failed' && from_seq === to_seq}
    >
      {texts.step(from_seq, to_seq)}
    </button>
  );
}

function Values({ title, states, aside }: { title: string; states: States; aside?: React.ReactNode }) {
  return (
    <div className={styles.values}>
      <div className={styles.title}>
        <h3>{title}</h3>
        {aside}
      </div>
      {states.length === 0 && <p className={styles.muted}>{texts.nothing}</p>}
      {states.map(({ name, value }) => (
        <Value key={name} name={name} value={value} />
      ))}
    </div>
  );
}

function Value({ name, value, before }: { name: string; value: Json; before?: Json | undefined }) {
  const difference = before === undefined ? wholeOf('same', value) : differenceOf(before, value);
  return (
    <div className={styles.value}>
      <code className={styles.state}>{name || texts.result}</code>
      <ValueTree label={texts.valueOf(name)} difference={difference} />
    </div>
  );
}

function Output({ iteration, subject }: { iteration: IterationDetail; subject: NodeOfRun }) {
  const [shown, setShown] = useState<'values' | 'changes' | 'other'>('values');
  const other = useStore(comparisonStore, ({ comparison }) => (comparison?.run_id === subject.run_id ? comparison.other_run_id : null));
  const { status, output, previous_output, index } = iteration;
  if (status !== 'done') {
    return (
      <div className={styles.values}>
        <h3>{texts.output}</h3>
        <p className={styles.muted}>{texts.noOutput[status]}</p>
      </div>
    );
  }
  const before = new Map(previous_output?.map(({ name, value }) => [name, value]));
  const comparable = output.some(({ name }) => before.has(name));
  const aside = (comparable || other !== null) && (
    <SegmentedControl
      size="xs"
      aria-label={texts.valuesOrChanges}
      data={[
        { value: 'values', label: texts.values },
        ...(comparable ? [{ value: 'changes', label: texts.changes }] : []),
        ...(other === null ? [] : [{ value: 'other', label: texts.otherRun }]),
      ]}
      value={shown}
      onChange={(value) => setShown(value as typeof shown)}
    />
  );
  if (shown === 'other' && other !== null) {
    return <OutputOfOtherRun iteration={iteration} subject={{ ...subject, run_id: other }} aside={aside} />;
  }
  if (shown !== 'changes' || !comparable) return <Values title={texts.output} states={output} aside={aside} />;
  return (
    <div className={styles.values}>
      <div className={styles.title}>
        <h3>{texts.output}</h3>
        {aside}
      </div>
      <p className={styles.muted}>{texts.comparedWith(index - 1)}</p>
      {output.map(({ name, value }) => (
        <Value key={name} name={name} value={value} before={before.get(name)} />
      ))}
    </div>
  );
}

interface OtherRunProps {
  readonly iteration: IterationDetail;
  /** The node in the other run. */
  readonly subject: NodeOfRun;
  readonly aside: React.ReactNode;
}

/** The output of a round beside that of the round of the same number in another run. */
function OutputOfOtherRun({ iteration: { index, output }, subject, aside }: OtherRunProps) {
  const run = shortRunName(subject.run_id);
  const answer = useReading({ ...subject, index }, '', (input) => studio.runs.iteration(input));
  const other = answer?.input.index === index ? answer.output?.iteration : undefined;
  const before = new Map(other?.output.map(({ name, value }) => [name, value]));
  return (
    <div className={styles.values}>
      <div className={styles.title}>
        <h3>{texts.output}</h3>
        {aside}
      </div>
      {answer?.failure && <FailureText failure={answer.failure} />}
      {other !== undefined && <p className={styles.muted}>{other ? texts.comparedWithRun(index, run) : texts.notInOtherRun(run)}</p>}
      {output.map(({ name, value }) => (
        <Value key={name} name={name} value={value} before={before.get(name)} />
      ))}
    </div>
  );
}

function Log({ iteration: { log, log_cut, index } }: { iteration: IterationDetail }) {
  return (
    <div className={styles.values}>
      <h3>{texts.log}</h3>
      {log.length === 0 && <p className={styles.muted}>{texts.noLog}</p>}
      {log.length > 0 && (
        <ol key={index} className={styles.log}>
          {log.map((line, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a round do not change places
            <li key={at} data-level={line.level}>
              {line.text}
            </li>
          ))}
        </ol>
      )}
      {log_cut && (
        <Button variant="subtle" size="compact-xs" onClick={() => panelsStore.getState().showBottom('output')}>
          {texts.logCut}
        </Button>
      )}
    </div>
  );
}
