import { Badge, Button, Modal } from '@mantine/core';
import { useState } from 'react';
import { useStore } from 'zustand';
import { VisibleText } from '#renderer/controls/visible-text.tsx';
import { type NodeTitles, nodeTitlesOf } from '#renderer/debugger/node-titles.ts';
import { useEditor } from '#renderer/stores/use-editor.ts';
import { flowWords, isTriedPath } from '#renderer/tools/tried-flow.ts';
import type { FlowReach } from '#shared/contract/consent.ts';
import { type Capability, type CapabilityKind, capabilityKey, capabilityKinds } from '#shared/flow/capabilities/capability.ts';
import { capabilityHeadings, capabilityName } from './capability-words.ts';
import styles from './consent-dialog.module.css';
import { consentStore } from './consent-store.ts';

/** Asks whether a flow may reach what it can, before its first run in a folder and when that has grown. */
export function ConsentDialog() {
  const question = useStore(consentStore, (state) => state.question);
  const [shown, setShown] = useState(question);
  // While the dialog closes it still shows what it was about.
  if (question && question !== shown) setShown(question);
  return (
    <Modal
      opened={question !== null}
      onClose={() => question?.answer(false)}
      title={shown ? titleOf(shown.reach) : ''}
      size="lg"
      zIndex={300}
      closeButtonProps={{ 'aria-label': 'Close' }}
      transitionProps={{ duration: 0 }}
    >
      {shown && <Reach reach={shown.reach} onAnswer={shown.answer} />}
    </Modal>
  );
}

function titleOf({ flow_path, known }: FlowReach): string {
  const subject = isTriedPath(flow_path) ? 'call' : 'flow';
  return known ? `This ${subject} can reach more than before` : `What this ${subject} can reach`;
}

function Reach({ reach, onAnswer }: { reach: FlowReach; onAnswer: (allowed: boolean) => void }) {
  const { flow_path, capabilities, known } = reach;
  const asked = new Set(reach.unconfirmed);
  // Nodes by what stands on their cards, where the flow is open.
  const text = useEditor((state) => state.flows[flow_path]?.parsed.text);
  const titles: NodeTitles = text === undefined ? (id) => id : nodeTitlesOf(text, flow_path);
  return (
    <div className={styles.body}>
      <p className={styles.about}>
        {isTriedPath(flow_path) ? (
          `${flowWords(flow_path)}: this is all that the call can do.`
        ) : known ? (
          <>
            <code>{flow_path}</code> has changed, or the settings of its folder have. New is marked; the rest you have allowed.
          </>
        ) : (
          <>
            <code>{flow_path}</code> has not run in this folder yet. Read off its nodes, and those of flows inside it, this is all that it
            can do:
          </>
        )}
      </p>
      {/* The focus begins here and not on a button: what is agreed to is read first. */}
      <section className={styles.list} aria-label="What the flow can reach" tabIndex={-1} data-autofocus>
        {capabilityKinds.map((kind) => {
          const items = capabilities.filter((capability) => capability.kind === kind);
          return items.length === 0 ? null : (
            <Kind
              key={kind}
              kind={kind}
              items={items}
              isNew={(key) => known && asked.has(key)}
              titles={isTriedPath(flow_path) ? null : titles}
            />
          );
        })}
      </section>
      <div className={styles.buttons}>
        <Button variant="default" onClick={() => onAnswer(false)}>
          Do not run
        </Button>
        <Button onClick={() => onAnswer(true)}>Allow and go on</Button>
      </div>
    </div>
  );
}

interface KindProps {
  readonly kind: CapabilityKind;
  readonly items: readonly Capability[];
  /** Null where there is but one node, which nobody has drawn. */
  readonly titles: NodeTitles | null;
  isNew(key: string): boolean;
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
                  new
                </Badge>
              )}
              {titles && (
                <span className={styles.nodes} title={item.nodes.map(titles).join(', ')}>
                  {item.nodes.slice(0, 3).map(titles).join(', ')}
                  {item.nodes.length > 3 && ` and ${item.nodes.length - 3} more`}
                </span>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
