import { Badge } from '@mantine/core';
import type { NodeTitles } from '#renderer/document/graph/node-titles.ts';
import { VisibleText } from '#renderer/ui/controls/visible-text.tsx';
import { type Capability, type CapabilityKind, capabilityKey } from '#shared/flow/capabilities/capability.ts';
import { capabilityKinds } from '#shared/flow/tools/reach.ts';
import styles from './capability-list.module.css';
import { capabilityHeadings, capabilityName } from './capability-names.ts';
import { texts } from './texts.ts';

interface CapabilityListProps {
  readonly capabilities: readonly Capability[];
  /** Null where the nodes are not to be named. */
  readonly titles: NodeTitles | null;
  isNew(key: string): boolean;
}

/** What a flow can reach, by kind, with a mark on what is new. */
export function CapabilityList({ capabilities, titles, isNew }: CapabilityListProps) {
  return (
    // In a dialog, the focus starts here and not on a button, so that the list is read first.
    <section className={styles.list} aria-label={texts.list} tabIndex={-1} data-autofocus>
      {capabilityKinds.map((kind) => {
        const items = capabilities.filter((capability) => capability.kind === kind);
        return items.length === 0 ? null : <Kind key={kind} kind={kind} items={items} titles={titles} isNew={isNew} />;
      })}
    </section>
  );
}

interface KindProps extends Omit<CapabilityListProps, 'capabilities'> {
  readonly kind: CapabilityKind;
  readonly items: readonly Capability[];
}

function Kind({ kind, items, titles, isNew }: KindProps) {
  return (
    <section className={styles.kind}>
      <h3>{capabilityHeadings[kind]}</h3>
      <ul>
        {items.map((item) => {
          const key = capabilityKey(item);
          return (
            <li key={key} data-new={isNew(key)}>
              <code>
                <VisibleText text={capabilityName(item.name)} />
              </code>
              {item.note && item.name !== '*' && <span className={styles.note}>{item.note}</span>}
              {isNew(key) && (
                <Badge size="xs" variant="outline">
                  {texts.new}
                </Badge>
              )}
              {titles && (
                <span className={styles.nodes} title={item.nodes.map(titles).join(', ')}>
                  {item.nodes.slice(0, 3).map(titles).join(', ')}
                  {item.nodes.length > 3 && texts.moreNodes(item.nodes.length - 3)}
                </span>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
