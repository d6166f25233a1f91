import { ActionIcon, Menu } from '@mantine/core';
import { IconCircleOff, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useStore } from 'zustand';
import { useFlowFields } from '#renderer/document/flows/use-current-flow.ts';
import { useEditor } from '#renderer/document/flows/use-editor.ts';
import { useSelection } from '#renderer/document/flows/use-selection.ts';
import { EmptyPart, PanelSection } from '#renderer/ui/controls/panel-section.tsx';
import type { Breakpoint } from '#shared/contract/breakpoint.ts';
import type { OutlineNode } from '#shared/flow/outline.ts';
import { isJsonObject, type Json } from '#shared/json.ts';
import { BreakpointDot } from './breakpoint-dot.tsx';
import { type BreakpointTarget, isOn, lookOf, switched } from './breakpoint-edits.ts';
import { BreakpointForm } from './breakpoint-form.tsx';
import styles from './breakpoint-list.module.css';
import {
  addBreakpoint,
  breakpointStore,
  editBreakpoint,
  putBreakpoint,
  removeAllBreakpoints,
  removeBreakpoint,
  toggleAllBreakpoints,
  toggleBreakpoint,
} from './breakpoint-store.ts';
import { detailText, subjectText } from './breakpoint-text.ts';
import { ForeignBreakpoints } from './foreign-breakpoints.tsx';
import { showBreakpoint } from './show-breakpoint.ts';
import { texts } from './texts.ts';
import { useHits } from './use-breakpoints.ts';

/** The breakpoints of the folder; those whose node is missing last. */
export function BreakpointList() {
  const breakpoints = useStore(breakpointStore, (state) => state.breakpoints);
  const unverified = useStore(breakpointStore, (state) => state.unverified);
  const foreign = useStore(breakpointStore, (state) => state.foreign);
  const editing = useStore(breakpointStore, (state) => state.editing);
  const numbered = breakpoints.map((breakpoint, index) => ({ breakpoint, number: index + 1 }));
  const isMissing = ({ breakpoint }: (typeof numbered)[number]) => unverified.includes(breakpoint.id);
  const rows = [...numbered.filter((row) => !isMissing(row)), ...numbered.filter(isMissing)];
  return (
    <PanelSection title={texts.title} count={breakpoints.length} trailing={<ListActions some={breakpoints.length > 0} />}>
      {foreign && <ForeignBreakpoints />}
      {rows.length === 0 && !foreign && <EmptyPart>{texts.empty}</EmptyPart>}
      <ul className={styles.rows} aria-label={texts.title}>
        {rows.map(({ breakpoint, number }) => (
          <li key={breakpoint.id}>
            <BreakpointRow breakpoint={breakpoint} number={number} unverified={unverified} />
            {editing === breakpoint.id && <BreakpointForm breakpoint={breakpoint} />}
          </li>
        ))}
      </ul>
    </PanelSection>
  );
}

function ListActions({ some }: { some: boolean }) {
  return (
    <>
      {some && (
        <>
          <ActionIcon size={22} aria-label={texts.toggleAll} title={texts.toggleAll} onClick={() => void toggleAllBreakpoints()}>
            <IconCircleOff size={14} />
          </ActionIcon>
          <ActionIcon size={22} aria-label={texts.removeAll} title={texts.removeAll} onClick={() => void removeAllBreakpoints()}>
            <IconTrash size={14} />
          </ActionIcon>
        </>
      )}
      <AddMenu />
    </>
  );
}

/** Breakpoints that can be set at the selected node or wire, and at failures. */
function AddMenu() {
  const flow = useFlowFields('path', 'view', 'readable');
  const key = useSelection((state) => state.nodes.at(-1));
  const wireKey = useSelection((state) => state.wires.at(-1));
  const node = flow?.view.nodes.find((candidate) => candidate.key === key);
  const state = flow?.view.wires.find((wire) => wire.key === wireKey)?.state ?? node?.outputs[0]?.state;
  const item = (label: string, target: BreakpointTarget) => (
    <Menu.Item key={label} onClick={() => void toggleBreakpoint(target)}>
      {label}
    </Menu.Item>
  );
  return (
    <Menu position="bottom-end" shadow="md">
      <Menu.Target>
        <ActionIcon size={22} aria-label={texts.add} title={texts.add}>
          <IconPlus size={14} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {flow && node && (
          <>
            {item(texts.addBefore(node.title), { kind: 'before', flow: flow.path, node: node.id })}
            {item(texts.addAfter(node.title), { kind: 'after', flow: flow.path, node: node.id })}
            {node.outputs.length > 1 &&
              node.outputs.map((port) =>
                item(texts.addBranch(node.title, port.state), { kind: 'branch', flow: flow.path, node: node.id, state: port.state }),
              )}
          </>
        )}
        {flow &&
          state !== undefined &&
          (['written', 'consumed', 'changed'] as const).map((on) =>
            item(texts.addState(state, on), { kind: 'state', flow: flow.path, state, on }),
          )}
        <Menu.Divider />
        {toolsOf(flow?.readable?.nodes ?? [], node?.index).map((tool) => (
          <Menu.Item key={tool} onClick={() => void addBreakpoint({ kind: 'tool', tool, on: 'before' })}>
            {texts.addTool(tool)}
          </Menu.Item>
        ))}
        {flow && node?.kind === 'agent' && (
          <Menu.Item onClick={() => void addBreakpoint({ kind: 'model', on: 'before', flow: flow.path, node: node.id })}>
            {texts.addModelOf(node.title)}
          </Menu.Item>
        )}
        <Menu.Item onClick={() => void addBreakpoint({ kind: 'model', on: 'before' })}>{texts.addModel}</Menu.Item>
        <Menu.Item onClick={() => void addBreakpoint({ kind: 'error' })}>{texts.addError}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** The tools that the flow names, those of the selected node first. */
function toolsOf(nodes: readonly OutlineNode[], selected: number | undefined): string[] {
  const own = nodes.filter(({ index }) => index === selected);
  return [...new Set([...own, ...nodes].flatMap(namedTools))];
}

function namedTools({ raw }: OutlineNode): string[] {
  const uses = isJsonObject(raw.agent) && Array.isArray(raw.agent.tools) ? (raw.agent.tools as readonly Json[]) : [];
  const names = uses.map((use) => (isJsonObject(use) ? use.use : use));
  return [raw.tool, ...names].filter((name) => typeof name === 'string');
}

interface RowProps {
  readonly breakpoint: Breakpoint;
  readonly number: number;
  readonly unverified: readonly string[];
}

function BreakpointRow({ breakpoint, number, unverified }: RowProps) {
  const { id } = breakpoint;
  const title = useEditor(({ flows }) =>
    'node' in breakpoint && breakpoint.flow !== undefined
      ? flows[breakpoint.flow]?.view.nodes.find((node) => node.id === breakpoint.node)?.title
      : undefined,
  );
  const hits = useHits().find((hit) => hit.id === id)?.hits;
  const look = lookOf(breakpoint, unverified);
  const name = `${texts.named(number)}, ${subjectText(breakpoint, title)}`;
  const status =
    hits !== undefined
      ? texts.stoppedHere
      : look.state === 'unverified'
        ? texts.unverified
        : look.state === 'off'
          ? texts.off
          : look.shape === 'diamond'
            ? texts.logPoint
            : '';
  const detail = detailText(breakpoint);
  const change = isOn(breakpoint) ? texts.turnOff(name) : texts.turnOn(name);
  return (
    <div className={styles.row} data-stopped={hits !== undefined}>
      <button
        type="button"
        className={styles.switch}
        aria-label={change}
        title={change}
        onClick={() => void putBreakpoint(switched(breakpoint, !isOn(breakpoint)))}
      >
        <BreakpointDot look={look} />
      </button>
      <button type="button" className={styles.show} onClick={() => void showBreakpoint(breakpoint)}>
        <span className={styles.name}>
          {number} <strong>{subjectText(breakpoint, title)}</strong>
        </span>
        <span className={styles.status} data-stopped={hits !== undefined}>
          {status}
        </span>
        <span className={styles.detail} title={detail}>
          {detail}
        </span>
      </button>
      <span className={styles.actions}>
        <ActionIcon size={22} aria-label={texts.edit(name)} title={texts.edit(name)} onClick={() => editBreakpoint(id)}>
          <IconPencil size={13} />
        </ActionIcon>
        <ActionIcon size={22} aria-label={texts.remove(name)} title={texts.remove(name)} onClick={() => void removeBreakpoint(id)}>
          <IconTrash size={13} />
        </ActionIcon>
      </span>
    </div>
  );
}
