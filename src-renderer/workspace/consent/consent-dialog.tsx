import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import { useStore } from 'zustand';
import { flowWords } from '#renderer/document/flows/tried-flow.ts';
import { useEditor } from '#renderer/document/flows/use-editor.ts';
import { type NodeTitles, nodeTitlesOf } from '#renderer/document/graph/node-titles.ts';
import { TextWith } from '#renderer/ui/controls/text-with.tsx';
import type { FlowReach } from '#shared/contract/consent.ts';
import { isTriedPath } from '#shared/flow/tried-path.ts';
import { CapabilityList } from './capability-list.tsx';
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
      <CapabilityList
        capabilities={capabilities}
        titles={isTriedPath(flow_path) ? null : titles}
        isNew={(key) => known && asked.has(key)}
      />
      <div className={styles.buttons}>
        <Button variant="default" onClick={() => onAnswer(false)}>
          {texts.cancel}
        </Button>
        <Button onClick={() => onAnswer(true)}>{texts.allow}</Button>
      </div>
    </div>
  );
}
