import {
  IconLayoutAlignBottom,
  IconLayoutAlignCenter,
  IconLayoutAlignLeft,
  IconLayoutAlignMiddle,
  IconLayoutAlignRight,
  IconLayoutAlignTop,
  IconLayoutDistributeHorizontal,
  IconLayoutDistributeVertical,
  IconSitemap,
  IconSparkles,
} from '@tabler/icons-react';
import { Panel } from '@xyflow/react';
import type { ComponentType, ReactNode } from 'react';
import { useCurrentFlow } from '#renderer/document/flows/use-current-flow.ts';
import { useSelection } from '#renderer/document/flows/use-selection.ts';
import { arrangeCommands } from '#renderer/editor/actions/arrange-commands.ts';
import { tidy } from '#renderer/editor/actions/arrange-selection.ts';
import { extractSelection } from '#renderer/editor/actions/extract-selection.ts';
import { texts as actionTexts } from '#renderer/editor/actions/texts.ts';
import { isMac } from '#renderer/shell/platform.ts';
import { shortcutText } from '#renderer/shell/shortcut.ts';
import styles from './selection-bar.module.css';
import { texts } from './texts.ts';

const icons: Readonly<Record<string, ComponentType<{ size: number }>>> = {
  align_left: IconLayoutAlignLeft,
  align_center: IconLayoutAlignCenter,
  align_right: IconLayoutAlignRight,
  align_top: IconLayoutAlignTop,
  align_middle: IconLayoutAlignMiddle,
  align_bottom: IconLayoutAlignBottom,
  distribute_horizontally: IconLayoutDistributeVertical,
  distribute_vertically: IconLayoutDistributeHorizontal,
};

/** Actions for several selected nodes. Renders nothing for fewer than two. */
export function SelectionBar() {
  const count = useSelection((state) => state.nodes.length);
  const editable = useCurrentFlow((flow) => flow !== null && !flow.code);
  if (count < 2) return null;
  return (
    <Panel position="top-center" className={styles.bar ?? ''} role="toolbar" aria-label={texts.arrange.selectedNodes}>
      <span className={styles.count}>{texts.arrange.selected(count)}</span>
      {arrangeCommands.map(({ id, title, keys = [], run }) => {
        const Icon = icons[id] ?? IconSparkles;
        return (
          <BarButton key={id} label={title} keys={keys[0] ?? ''} disabled={count < 3 && id.startsWith('distribute')} onClick={run}>
            <Icon size={16} />
          </BarButton>
        );
      })}
      <BarButton label={actionTexts.arrange.tidySelection} keys="Shift+Alt+T" onClick={() => void tidy()}>
        <IconSparkles size={16} />
      </BarButton>
      {editable && (
        <BarButton label={texts.extract.command} keys="Ctrl+Shift+E" onClick={extractSelection}>
          <IconSitemap size={16} />
        </BarButton>
      )}
    </Panel>
  );
}

interface BarButtonProps {
  readonly label: string;
  readonly keys: string;
  readonly disabled?: boolean;
  readonly children: ReactNode;
  onClick(): void;
}

function BarButton({ label, keys, disabled = false, children, onClick }: BarButtonProps) {
  const title = `${label} (${shortcutText(keys, isMac)})`;
  return (
    <button type="button" aria-label={label} title={title} disabled={disabled} onClick={onClick}>
      {children}
    </button>
  );
}
