import { ActionIcon, Switch } from '@mantine/core';
import { IconCircleOff, IconPin, IconPinFilled, IconTool, IconTrash } from '@tabler/icons-react';
import { useStore } from 'zustand';
import { useEditor } from '#renderer/document/flows/use-editor.ts';
import styles from '#renderer/runs/breakpoints/breakpoint-list.module.css';
import { breakpointStore } from '#renderer/runs/breakpoints/breakpoint-store.ts';
import { showNodeOf } from '#renderer/runs/breakpoints/show-breakpoint.ts';
import { EmptyPart, PanelSection } from '#renderer/ui/controls/panel-section.tsx';
import { previewOf } from '#renderer/ui/values/value-preview.ts';
import type { Supplied } from '#shared/contract/supplied.ts';
import { isOn, switched } from './supplied-edits.ts';
import { putSupplied, removeSupplied, switchAllSupplied } from './supplied-store.ts';
import { texts } from './texts.ts';

/** The pins and mocks of the folder, and the switch by which all count or none. */
export function SuppliedList() {
  const supplied = useStore(breakpointStore, (state) => state.supplied);
  const on = useStore(breakpointStore, (state) => state.supplied_on);
  const toggle = (
    <Switch
      size="xs"
      aria-label={texts.switchOn}
      title={texts.switchOn}
      checked={on}
      onChange={(event) => void switchAllSupplied(event.currentTarget.checked)}
    />
  );
  return (
    <PanelSection title={texts.title} count={supplied.length} trailing={supplied.length > 0 && toggle}>
      {supplied.length === 0 && <EmptyPart>{texts.empty}</EmptyPart>}
      <ul className={styles.rows} aria-label={texts.title}>
        {supplied.map((each) => (
          <li key={each.id}>
            <Row supplied={each} counts={on} />
          </li>
        ))}
      </ul>
    </PanelSection>
  );
}

function Row({ supplied, counts }: { supplied: Supplied; counts: boolean }) {
  const unverified = useStore(breakpointStore, (state) => state.unverified.includes(supplied.id));
  const { flow, node } = supplied;
  const title = useEditor(({ flows }) =>
    flow === undefined ? undefined : (flows[flow]?.view.nodes.find(({ id }) => id === node)?.title ?? node),
  );
  const name = nameOf(supplied, title ?? '');
  const on = isOn(supplied);
  const change = on ? texts.list.turnOff(name) : texts.list.turnOn(name);
  const Icon = supplied.kind !== 'pin' ? IconTool : supplied.disabled ? IconCircleOff : on ? IconPinFilled : IconPin;
  const place = flow === undefined || node === undefined ? null : { flow, node };
  const detail = detailOf(supplied);
  return (
    <div className={styles.row}>
      <button
        type="button"
        className={styles.switch}
        aria-label={change}
        title={change}
        onClick={() => void putSupplied(switched(supplied, !on))}
      >
        <Icon size={14} aria-hidden="true" />
      </button>
      <button type="button" className={styles.show} disabled={place === null} onClick={() => place && void showNodeOf(place)}>
        <span className={styles.name}>
          <strong>{name}</strong>
        </span>
        <span className={styles.status}>{unverified ? texts.unverified : on && counts ? '' : texts.off}</span>
        <span className={styles.detail} title={detail}>
          {detail}
        </span>
      </button>
      <span className={styles.actions}>
        <ActionIcon
          size={22}
          aria-label={texts.list.remove(name)}
          title={texts.list.remove(name)}
          onClick={() => void removeSupplied(supplied.id)}
        >
          <IconTrash size={13} />
        </ActionIcon>
      </span>
    </div>
  );
}

function nameOf(supplied: Supplied, title: string): string {
  if (supplied.kind === 'pin') return supplied.disabled ? texts.list.disabled(title) : texts.list.pin(title);
  if (supplied.kind === 'tool') return texts.list.mock(supplied.tool);
  return texts.list.mock(supplied.node === undefined ? supplied.model : `${texts.mock.model} · ${title}`);
}

function detailOf(supplied: Supplied): string {
  if (supplied.kind !== 'pin') return texts.mock.rules(supplied.rules.length);
  if (supplied.disabled) return '';
  return `${supplied.branch === undefined ? '' : `${supplied.branch}: `}${previewOf(supplied.value ?? null)}`;
}
