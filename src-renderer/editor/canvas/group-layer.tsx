import { IconFoldDown } from '@tabler/icons-react';
import { ViewportPortal } from '@xyflow/react';
import { type MouseEvent, memo, useMemo } from 'react';
import { useStore } from 'zustand';
import { moveNodes } from '#renderer/document/flows/editor.ts';
import { select } from '#renderer/document/flows/selection.ts';
import type { GraphView } from '#renderer/document/graph/graph-view.ts';
import { type GroupBox, groupBox } from '#renderer/document/layout/groups.ts';
import { changeGroup, nextColour, noteStore } from '#renderer/editor/actions/note-actions.ts';
import { texts as actionTexts } from '#renderer/editor/actions/texts.ts';
import { menuPoint, openMenu } from '#renderer/shell/menu-store.ts';
import type { Layout, LayoutGroup } from '#shared/flow/layout/layout.ts';
import styles from './group-layer.module.css';
import { texts } from './texts.ts';
import { useDrag } from './use-drag.ts';

interface GroupLayerProps {
  readonly view: GraphView;
  readonly positions: Layout['nodes'];
  readonly groups: readonly LayoutGroup[];
}

/** The frames of the groups, outer ones first, behind the cards. Folded groups are cards. */
export const GroupLayer = memo(function GroupLayer({ view, positions, groups }: GroupLayerProps) {
  const frames = useMemo(() => {
    const open = groups.filter(({ folded }) => !folded).sort((one, other) => other.nodes.length - one.nodes.length);
    return open.flatMap((group) => {
      const box = groupBox(group, view, positions, groups);
      return box ? [{ group, box }] : [];
    });
  }, [view, positions, groups]);
  return (
    <ViewportPortal>
      {frames.map(({ group, box }) => (
        <Frame key={group.id} group={group} box={box} positions={positions} />
      ))}
    </ViewportPortal>
  );
});

/** A group: its title moves all of its nodes, a click selects them, a double click renames it. */
function Frame({ group, box, positions }: { group: LayoutGroup; box: GroupBox; positions: Layout['nodes'] }) {
  const { id, title, colour, nodes } = group;
  const editing = useStore(noteStore, (state) => state.editing === id);
  const { shift, handlers } = useDrag(({ x, y }) => {
    const moved = nodes.flatMap((key) => {
      const place = positions[key];
      return place ? [[key, { x: place.x + x, y: place.y + y }] as const] : [];
    });
    moveNodes(Object.fromEntries(moved), actionTexts.group.move);
  });
  const edit = () => noteStore.setState({ editing: id });
  const finish = (text: string) => {
    noteStore.setState({ editing: null });
    if (text.trim() !== '' && text !== title) changeGroup(id, { title: text.trim() });
  };
  const onContextMenu = (event: MouseEvent<HTMLElement>) => {
    event.preventDefault();
    event.stopPropagation();
    select(nodes);
    openMenu({ place: 'group', label: actionTexts.menu.group(title), ...menuPoint(event, event.currentTarget), subject: { group: id } });
  };
  return (
    <div
      className={styles.frame}
      data-colour={colour}
      data-group={id}
      style={{ transform: `translate(${box.x + shift.x}px, ${box.y + shift.y}px)`, width: box.width, height: box.height }}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the menu of the group; its title is a button */}
      <div className={`${styles.bar} nopan nodrag`} onContextMenu={onContextMenu}>
        {editing ? (
          <input
            className={styles.field}
            aria-label={texts.groups.title}
            defaultValue={title}
            ref={(element) => element?.select()}
            onKeyDown={(event) => {
              event.stopPropagation();
              if (event.key === 'Enter' || event.key === 'Escape') finish(event.key === 'Enter' ? event.currentTarget.value : title);
            }}
            onBlur={(event) => finish(event.currentTarget.value)}
          />
        ) : (
          <button
            type="button"
            className={styles.title}
            title={texts.groups.hint}
            onClick={() => select(nodes)}
            onDoubleClick={(event) => {
              event.stopPropagation();
              edit();
            }}
            onKeyDown={(event) => {
              if (event.key === 'F2') edit();
            }}
            {...handlers}
          >
            {title}
          </button>
        )}
        <button
          type="button"
          className={styles.colour}
          aria-label={texts.groups.colour(colour)}
          title={texts.groups.colour(colour)}
          onClick={() => changeGroup(id, { colour: nextColour(colour) })}
        />
        <button
          type="button"
          className={styles.fold}
          aria-label={texts.groups.fold(title)}
          title={texts.groups.fold(title)}
          onClick={() => changeGroup(id, { folded: true }, actionTexts.group.fold)}
        >
          <IconFoldDown size={13} aria-hidden="true" />
        </button>
      </div>
    </div>
  );
}
