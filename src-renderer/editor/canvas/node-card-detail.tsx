import { IconAlignLeft, IconCode, IconCpu, IconFileCode, IconMath, IconSitemap, IconTool, IconUser } from '@tabler/icons-react';
import type { NodeDetail } from '#renderer/document/graph/node-detail.ts';
import { VisibleName } from '#renderer/ui/controls/visible-text.tsx';
import styles from './node-card.module.css';

const icons = {
  tool: IconTool,
  code: IconCode,
  expr: IconMath,
  module: IconFileCode,
  model: IconCpu,
  flow: IconSitemap,
  person: IconUser,
} as const;

/** The muted line at the bottom of a card. While a run is shown, `text` describes what the run did there. */
export function NodeCardDetail({ detail, text }: { detail: NodeDetail; text?: string }) {
  const Icon = text ? IconAlignLeft : icons[detail.type];
  return (
    <div className={styles.detail}>
      <Icon size={12} stroke={1.75} aria-hidden="true" />
      <VisibleName text={text ?? detail.text} title={detail.text} />
    </div>
  );
}
