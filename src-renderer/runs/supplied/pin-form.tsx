import { Button, NativeSelect } from '@mantine/core';
import { useId, useState } from 'react';
import { firstValue } from '#renderer/ui/forms/first-value.ts';
import { ValueEditor } from '#renderer/ui/forms/value-editor.tsx';
import type { Pin } from '#shared/contract/supplied.ts';
import type { Json } from '#shared/json.ts';
import styles from './supplied.module.css';
import { type PinnedNode, valueSchema } from './supplied-edits.ts';
import { editPin, newSuppliedId, saveSupplied } from './supplied-store.ts';
import { texts } from './texts.ts';

interface PinFormProps {
  readonly flow: string;
  readonly node: PinnedNode;
  readonly pin: Pin | undefined;
  readonly schemas: Readonly<Record<string, Json>>;
}

/** The value that a node's pin puts in the place of its output, as a form or as JSON; of an either node the branch too. */
export function PinForm({ flow, node, pin, schemas }: PinFormProps) {
  const id = useId();
  const branches = node.kind === 'either' ? node.outputs.map(({ state }) => state) : [];
  const [branch, setBranch] = useState(pin?.branch ?? branches[0]);
  const schema = valueSchema(node, branch, schemas);
  const [value, setValue] = useState<Json | undefined>(() => pin?.value ?? firstValue(schema));
  const [fault, setFault] = useState<string | null>(null);

  async function save(given: Json) {
    const stored: Pin = {
      id: pin?.id ?? newSuppliedId('pin'),
      kind: 'pin',
      flow,
      node: node.id,
      value: given,
      ...(branch !== undefined && { branch }),
    };
    const refused = await saveSupplied(stored);
    setFault(refused);
    if (refused === null) editPin(null);
  }

  return (
    <section className={styles.form} aria-label={texts.pin.form}>
      {branches.length > 0 && (
        <NativeSelect
          size="xs"
          label={texts.pin.branch}
          data={branches}
          value={branch ?? ''}
          onChange={(event) => setBranch(event.currentTarget.value)}
        />
      )}
      <ValueEditor
        key={branch ?? ''}
        id={id}
        label={texts.pin.value}
        schema={schema}
        value={value}
        onChange={(next) => {
          setValue(next);
          setFault(null);
        }}
        onSubmit={(given) => void save(given)}
      />
      {fault !== null && (
        <p className={styles.fault} role="alert">
          {fault}
        </p>
      )}
      <div className={styles.buttons}>
        <Button size="compact-xs" variant="default" onClick={() => editPin(null)}>
          {texts.pin.cancel}
        </Button>
        <Button size="compact-xs" type="submit" form={id}>
          {texts.pin.save}
        </Button>
      </div>
    </section>
  );
}
