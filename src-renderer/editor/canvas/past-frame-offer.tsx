import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { useEditor } from '#renderer/document/flows/use-editor.ts';
import { useNesting } from '#renderer/document/flows/use-nesting.ts';
import { depthShown, followPast, pastFrameStore, showPastFrame } from '#renderer/editor/actions/past-frame.ts';
import { VisibleText } from '#renderer/ui/controls/visible-text.tsx';
import styles from './past-frame-offer.module.css';
import { texts } from './texts.ts';

/** While a step of the past is looked at that was inside a node of the shown flow: says so, and goes there. */
export function PastFrameOffer() {
  useEffect(followPast, []);
  const place = useStore(pastFrameStore, (state) => state.place);
  const current = useEditor((state) => state.current);
  const outer = useNesting();
  const depth = depthShown(place, [...outer.map(({ path }) => path), current]);
  const node = place[depth - 1];
  if (depth !== outer.length + 1 || place.length <= depth || !node) return null;
  return (
    <div className={styles.offer} role="note">
      <span className={styles.text}>
        <VisibleText text={texts.tabs.pastInside(node.title, node.item ? texts.tabs.item(node.item.index + 1, node.item.of) : null)} />
      </span>
      <Button size="compact-xs" variant="light" onClick={showPastFrame}>
        {texts.tabs.showInside}
      </Button>
    </div>
  );
}
