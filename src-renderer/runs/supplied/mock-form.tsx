import { ActionIcon, Button, Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import type { Mock } from '#shared/contract/supplied.ts';
import { newRule, type RuleFields, rulesOf, withRules } from './mock-fields.ts';
import styles from './supplied.module.css';
import { saveSupplied } from './supplied-store.ts';
import { texts } from './texts.ts';

const code = { input: { fontFamily: 'var(--font-code)', fontSize: 12 } };

/** The rules of a mock: the first whose condition is true answers the call. */
export function MockForm({ mock, name, onClose }: { mock: Mock; name: string; onClose(): void }) {
  const [rules, setRules] = useState<readonly RuleFields[]>(() => (mock.rules.length > 0 ? rulesOf(mock) : [newRule]));
  const [calls, setCalls] = useState(mock.otherwise === 'call');
  const [fault, setFault] = useState<string | null>(null);

  async function save(event: FormEvent) {
    event.preventDefault();
    const read = withRules(mock, rules, calls);
    if ('fault' in read) return setFault(read.fault);
    const refused = await saveSupplied(read.mock);
    setFault(refused);
    if (refused === null) onClose();
  }

  return (
    <form className={styles.form} aria-label={texts.mock.heading(name)} onSubmit={(event) => void save(event)}>
      {rules.map((rule, index) => (
        <Rule
          // biome-ignore lint/suspicious/noArrayIndexKey: a rule is its position
          key={index}
          number={index + 1}
          rule={rule}
          onChange={(next) => setRules(rules.map((other, at) => (at === index ? next : other)))}
          onRemove={() => setRules(rules.filter((_other, at) => at !== index))}
        />
      ))}
      <Button size="compact-xs" variant="default" onClick={() => setRules([...rules, newRule])}>
        {texts.mock.addRule}
      </Button>
      <Checkbox size="xs" label={texts.mock.otherwise} checked={calls} onChange={(event) => setCalls(event.currentTarget.checked)} />
      {fault !== null && (
        <p className={styles.fault} role="alert">
          {fault}
        </p>
      )}
      <div className={styles.buttons}>
        <Button size="compact-xs" variant="default" onClick={onClose}>
          {texts.mock.cancel}
        </Button>
        <Button size="compact-xs" type="submit">
          {texts.mock.save}
        </Button>
      </div>
    </form>
  );
}

interface RuleProps {
  readonly number: number;
  readonly rule: RuleFields;
  onChange(rule: RuleFields): void;
  onRemove(): void;
}

function Rule({ number, rule, onChange, onRemove }: RuleProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset can't be laid out as a column in all browsers
    <div className={styles.rule} role="group" aria-label={texts.mock.rule(number)}>
      <div className={styles.head}>
        {texts.mock.rule(number)}
        <ActionIcon size={22} aria-label={texts.mock.removeRule(number)} title={texts.mock.removeRule(number)} onClick={onRemove}>
          <IconTrash size={13} />
        </ActionIcon>
      </div>
      <TextInput
        size="xs"
        label={texts.mock.when}
        placeholder={texts.mock.whenHint}
        value={rule.when}
        styles={code}
        onChange={(event) => onChange({ ...rule, when: event.currentTarget.value })}
      />
      <div className={styles.pair}>
        <NativeSelect
          size="xs"
          label={texts.mock.answer}
          data={(['result', 'error'] as const).map((value) => ({ value, label: texts.mock.answers[value] }))}
          value={rule.answer}
          onChange={(event) => onChange({ ...rule, answer: event.currentTarget.value === 'error' ? 'error' : 'result' })}
        />
        <TextInput
          size="xs"
          label={texts.mock.delay}
          inputMode="numeric"
          value={rule.delay}
          onChange={(event) => onChange({ ...rule, delay: event.currentTarget.value.replace(/\D/g, '') })}
        />
      </div>
      <Textarea
        size="xs"
        label={rule.answer === 'result' ? texts.mock.result : texts.mock.error}
        value={rule.text}
        autosize
        minRows={2}
        maxRows={12}
        spellCheck={false}
        styles={code}
        onChange={(event) => onChange({ ...rule, text: event.currentTarget.value })}
      />
    </div>
  );
}
