import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { type KeyboardEvent, type MouseEvent, useState } from 'react';
import { VisibleText } from '#renderer/ui/controls/visible-text.tsx';
import { type Json, jsonPointer } from '#shared/json.ts';
import { texts } from './texts.ts';
import type { Difference, DifferencePart } from './value-difference.ts';
import { previewOf } from './value-preview.ts';
import styles from './value-tree.module.css';

/** Parts beyond this many are shown when asked for. */
const partsShown = 100;

interface ValueTreeProps {
  readonly label: string;
  readonly difference: Difference;
  /** Called for the menu of a part, with its JSON Pointer: by a right click, the menu key, or Enter on a part that does not open. */
  readonly onMenu?: ((pointer: string, event: MouseEvent<HTMLElement> | KeyboardEvent<HTMLElement>) => void) | undefined;
}
type OnMenu = ValueTreeProps['onMenu'];

/** A value as a tree that opens part by part; what is new is green, what is gone red and struck out. */
export function ValueTree({ label, difference, onMenu }: ValueTreeProps) {
  return isWhole(difference.value) ? (
    <ul className={styles.tree} aria-label={label}>
      <Parts difference={difference} path={[]} onMenu={onMenu} />
    </ul>
  ) : (
    <div className={styles.tree}>
      <Scalar difference={difference} />
    </div>
  );
}

function isWhole(value: Json): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

interface PartsProps {
  readonly difference: Difference;
  readonly path: readonly string[];
  readonly onMenu: OnMenu;
}

function Parts({ difference, path, onMenu }: PartsProps) {
  const [shown, setShown] = useState(partsShown);
  const parts = difference.parts();
  return (
    <>
      {parts.slice(0, shown).map((part) => (
        <Part key={`${part.kind === 'removed' ? '-' : ''}${part.key}`} part={part} path={[...path, part.key]} onMenu={onMenu} />
      ))}
      {parts.length > shown && (
        <li>
          <button type="button" className={styles.more} onClick={() => setShown(shown * 10)}>
            {texts.moreParts(parts.length - shown)}
          </button>
        </li>
      )}
    </>
  );
}

function Part({ part, path, onMenu }: { part: DifferencePart; path: readonly string[]; onMenu: OnMenu }) {
  const whole = isWhole(part.value);
  const [open, setOpen] = useState(path.length === 1 && part.kind === 'changed');
  const openMenu = (event: MouseEvent<HTMLElement> | KeyboardEvent<HTMLElement>) => {
    event.preventDefault();
    event.stopPropagation();
    onMenu?.(jsonPointer(path), event);
  };
  const Chevron = open ? IconChevronDown : IconChevronRight;
  const name = (
    <span className={styles.name}>
      <VisibleText text={part.key} />
    </span>
  );
  return (
    <li data-kind={part.kind}>
      {whole ? (
        <button
          type="button"
          className={styles.toggle}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          {...(onMenu && { onContextMenu: openMenu })}
        >
          <Chevron size={13} aria-hidden="true" />
          {name}
          <Kind kind={part.kind} />
          {!open && <span className={styles.preview}>{previewOf(part.value, 120)}</span>}
        </button>
      ) : onMenu ? (
        // biome-ignore lint/a11y/useSemanticElements: the text of a <button> can't be selected and copied
        <div
          role="button"
          tabIndex={0}
          className={styles.leaf}
          aria-haspopup="menu"
          onContextMenu={openMenu}
          onKeyDown={(event) => event.key === 'Enter' && openMenu(event)}
        >
          {name}
          <Kind kind={part.kind} />
          <Scalar difference={part} />
        </div>
      ) : (
        <div className={styles.leaf}>
          {name}
          <Kind kind={part.kind} />
          <Scalar difference={part} />
        </div>
      )}
      {whole && open && (
        <ul className={styles.branch}>
          <Parts difference={part} path={path} onMenu={onMenu} />
        </ul>
      )}
    </li>
  );
}

function Kind({ kind }: { kind: Difference['kind'] }) {
  return kind === 'same' ? null : <span className="only-heard">{kind}</span>;
}

function Scalar({ difference }: { difference: Difference }) {
  const { value, before, kind } = difference;
  return (
    <span className={styles.values}>
      {before !== undefined && (
        <del className={styles.removed}>
          <Text value={before} />
        </del>
      )}
      {kind === 'removed' ? (
        <del className={styles.removed}>
          <Text value={value} />
        </del>
      ) : kind === 'same' ? (
        <Text value={value} />
      ) : (
        <ins className={styles.added}>
          <Text value={value} />
        </ins>
      )}
    </span>
  );
}

function Text({ value }: { value: Json }) {
  if (typeof value === 'string') return <span className={styles.string}>{value === '' ? '""' : <VisibleText text={value} />}</span>;
  return <span className={styles.scalar}>{previewOf(value, 200)}</span>;
}
