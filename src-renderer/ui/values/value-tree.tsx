import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { VisibleText } from '#renderer/ui/controls/visible-text.tsx';
import type { Json } from '#shared/json.ts';
import { texts } from './texts.ts';
import type { Difference, DifferencePart } from './value-difference.ts';
import { previewOf } from './value-preview.ts';
import styles from './value-tree.module.css';

/** Parts beyond this many are shown when asked for. */
const partsShown = 100;

interface ValueTreeProps {
  readonly label: string;
  readonly difference: Difference;
}

/** A value as a tree that opens part by part; what is new is green, what is gone red and struck out. */
export function ValueTree({ label, difference }: ValueTreeProps) {
  return isWhole(difference.value) ? (
    <ul className={styles.tree} aria-label={label}>
      <Parts difference={difference} depth={0} />
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

function Parts({ difference, depth }: { difference: Difference; depth: number }) {
  const [shown, setShown] = useState(partsShown);
  const parts = difference.parts();
  return (
    <>
      {parts.slice(0, shown).map((part) => (
        <Part key={`${part.kind === 'removed' ? '-' : ''}${part.key}`} part={part} depth={depth} />
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

function Part({ part, depth }: { part: DifferencePart; depth: number }) {
  const whole = isWhole(part.value);
  const [open, setOpen] = useState(depth === 0 && part.kind === 'changed');
  const Chevron = open ? IconChevronDown : IconChevronRight;
  const name = (
    <span className={styles.name}>
      <VisibleText text={part.key} />
    </span>
  );
  return (
    <li data-kind={part.kind}>
      {whole ? (
        <button type="button" className={styles.toggle} aria-expanded={open} onClick={() => setOpen(!open)}>
          <Chevron size={13} aria-hidden="true" />
          {name}
          <Kind kind={part.kind} />
          {!open && <span className={styles.preview}>{previewOf(part.value, 120)}</span>}
        </button>
      ) : (
        <div className={styles.leaf}>
          {name}
          <Kind kind={part.kind} />
          <Scalar difference={part} />
        </div>
      )}
      {whole && open && (
        <ul className={styles.branch}>
          <Parts difference={part} depth={depth + 1} />
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
