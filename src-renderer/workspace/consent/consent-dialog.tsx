import { Badge, Button, Modal } from '@mantine/core';
import { useState } from 'react';
import { useStore } from 'zustand';
import { flowWords } from '#renderer/document/flows/tried-flow.ts';
import { useEditor } from '#renderer/document/flows/use-editor.ts';
import { type NodeTitles, nodeTitlesOf } from '#renderer/document/graph/node-titles.ts';
import { TextWith } from '#renderer/ui/controls/text-with.tsx';
import { VisibleText } from '#renderer/ui/controls/visible-text.tsx';
import type { FlowReach } from '#shared/contract/consent.ts';
import { type Capability, type CapabilityKind, capabilityKey } from '#shared/flow/capabilities/capability.ts';
import { capabilityKinds } from '#shared/flow/tools/reach.ts';
import { isTriedPath } from '#shared/flow/tried-path.ts';
import { capabilityHeadings, capabilityName } from './capability-names.ts';
import styles from './consent-dialog.module.css';
import { consentStore } from './consent-store.ts';
import { texts } from './texts.ts';

/** Asks the user to allow the capabilities of a flow, before its first run in a folder and when it gets new ones. */
export function ConsentDialog() {
  const question = useStore(consentStore, (state) => state.question);
  const [shown, setShown] = useState(question);
  // While the dialog closes, it still shows its content.
  if (question && question !== shown) setShown(question);
  return (
    <Modal
      opened={question !== null}
      onClose={() => question?.answer(false)}
      title={shown ? titleOf(shown.reach) : ''}
      size="lg"
      zIndex={300}
      closeButtonProps={{ 'aria-label': texts.close }}
      transitionProps={{ duration: 0 }}
    >
      {shown && <Reach reach={shown.reach} onAnswer={shown.answer} />}
    </Modal>
  );
}

function titleOf({ flow_path, known }: FlowReach): string {
  const { title } = texts;
  if (isTriedPath(flow_path)) return known ? title.callMore : title.call;
  return known ? title.flowMore : title.flow;
}

function Reach({ reach, onAnswer }: { reach: FlowReach; onAnswer: (allowed: boolean) => void }) {
  const { flow_path, capabilities, known } = reach;
  const asked = new Set(reach.unconfirmed);
  // Titles of the nodes, if the flow is open.
  const text = useEditor((state) => state.flows[flow_path]?.parsed.text);
  const titles: NodeTitles = text === undefined ? (id) => id : nodeTitlesOf(text, flow_path);
  return (
    <div className={styles.body}>
      <p className={styles.about}>
        {isTriedPath(flow_path) ? (
          texts.aboutCall(flowWords(flow_path))
        ) : (
          <TextWith text={known ? texts.aboutChanged : texts.aboutNew} parts={{ flow: <code>{flow_path}</code> }} />
        )}
      </p>
      {/* The focus starts here and not on a button, so that the list is read first. */}
      <section className={styles.list} aria-label={texts.list} tabIndex={-1} data-autofocus>
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
          {texts.cancel}
        </Button>
        <Button onClick={() => onAnswer(true)}>{texts.allow}</Button>
      </div>
    </div>
  );
}

interface KindProps {
  readonly kind: CapabilityKind;
  readonly items: readonly Capability[];
  /** Null for the generated flow of a tool call, whose one node is not drawn. */
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
