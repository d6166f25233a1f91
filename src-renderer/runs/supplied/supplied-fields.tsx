import { ActionIcon, Button } from '@mantine/core';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { memo, useState } from 'react';
import { useStore } from 'zustand';
import { breakpointStore } from '#renderer/runs/breakpoints/breakpoint-store.ts';
import { shortRunName } from '#renderer/runs/model/run-name.ts';
import { previewOf } from '#renderer/ui/values/value-preview.ts';
import type { Pin } from '#shared/contract/supplied.ts';
import type { OutlineNode } from '#shared/flow/outline.ts';
import type { Json } from '#shared/json.ts';
import { MockForm } from './mock-form.tsx';
import { PinForm } from './pin-form.tsx';
import styles from './supplied.module.css';
import { isOn, type MockSubject, mockOf, newMock, type PinnedNode, pinOf } from './supplied-edits.ts';
import { editPin, newSuppliedId, removePin, removeSupplied, suppliedStore } from './supplied-store.ts';
import { texts } from './texts.ts';
import { toolsOfNode } from './use-supplied.ts';

interface SuppliedFieldsProps {
  readonly flow: string;
  readonly view: PinnedNode & { readonly title: string };
  readonly node: OutlineNode;
  readonly schemas: Readonly<Record<string, Json>>;
  /** Pins the output of the shown step, or opens the form. */
  onPin(): void;
  onDisable(): void;
}

/** What is supplied at a node: its pin, and the mocks of its tools and its model. Stored beside the flow, not in it. */
export function SuppliedFields({ flow, view, node, schemas, onPin, onDisable }: SuppliedFieldsProps) {
  const supplied = useStore(breakpointStore, (state) => state.supplied);
  const editing = useStore(suppliedStore, ({ pin }) => pin?.flow === flow && pin.node === view.id);
  const pin = pinOf(supplied, flow, view.id);
  return (
    <section className={styles.section} aria-label={texts.title}>
      <h3>{texts.title}</h3>
      <div className={styles.line}>
        <span className={styles.label}>{texts.pin.heading}</span>
        <PinText pin={pin} />
        {pin && !pin.disabled && (
          <Act label={texts.pin.edit} onClick={() => editPin({ flow, node: view.id })}>
            <IconPencil size={13} />
          </Act>
        )}
        {pin && (
          <Act label={pin.disabled ? texts.pin.enable : texts.pin.remove} onClick={() => void removePin(flow, view.id, view.title)}>
            <IconTrash size={13} />
          </Act>
        )}
      </div>
      {!pin && !editing && <PinButtons onPin={onPin} onDisable={onDisable} />}
      {editing && <PinForm key={pin?.id ?? ''} flow={flow} node={view} pin={pin} schemas={schemas} />}
      {toolsOfNode(node).map((tool) => (
        <MockLine key={tool} name={tool} subject={{ kind: 'tool', tool }} />
      ))}
      {node.kind === 'agent' && <MockLine name={texts.mock.model} subject={{ kind: 'model', flow, node: view.id }} />}
    </section>
  );
}

/** Memoized: the fields render at every key typed into the node's form. */
const PinButtons = memo(function PinButtons({ onPin, onDisable }: Pick<SuppliedFieldsProps, 'onPin' | 'onDisable'>) {
  return (
    <div className={styles.buttons}>
      <Button size="compact-xs" variant="default" onClick={onDisable}>
        {texts.pin.disable}
      </Button>
      <Button size="compact-xs" variant="default" onClick={onPin}>
        {texts.pin.add}
      </Button>
    </div>
  );
});

function PinText({ pin }: { pin: Pin | undefined }) {
  if (!pin) return <span className={styles.what}>{texts.pin.none}</span>;
  const value = pin.disabled ? texts.pin.disabled : `${pin.branch === undefined ? '' : `${pin.branch}: `}${previewOf(pin.value ?? null)}`;
  const from = pin.from && texts.pin.from(shortRunName(pin.from.run_id), pin.from.seq);
  return (
    <span className={styles.what} data-set="true" data-off={!isOn(pin)} title={from ? `${value} · ${from}` : value}>
      {value}
    </span>
  );
}

function MockLine({ name, subject }: { name: string; subject: MockSubject }) {
  const supplied = useStore(breakpointStore, (state) => state.supplied);
  const [open, setOpen] = useState(false);
  const mock = mockOf(supplied, subject);
  return (
    <>
      <div className={styles.line}>
        <span className={styles.label} title={name}>
          <span className={styles.name}>{name}</span>
        </span>
        <span className={styles.what} data-set={mock !== undefined} data-off={mock && !isOn(mock)}>
          {mock ? texts.mock.rules(mock.rules.length) : texts.mock.none}
        </span>
        <Act label={mock ? texts.mock.edit(name) : texts.mock.add(name)} onClick={() => setOpen(true)}>
          {mock ? <IconPencil size={13} /> : <IconPlus size={13} />}
        </Act>
        {mock && (
          <Act label={texts.mock.remove(name)} onClick={() => void removeSupplied(mock.id)}>
            <IconTrash size={13} />
          </Act>
        )}
      </div>
      {open && <MockForm mock={mock ?? newMock(subject, newSuppliedId('mock'))} name={name} onClose={() => setOpen(false)} />}
    </>
  );
}

function Act({ label, onClick, children }: { label: string; onClick(): void; children: React.ReactNode }) {
  return (
    <ActionIcon size={22} aria-label={label} title={label} onClick={onClick}>
      {children}
    </ActionIcon>
  );
}
