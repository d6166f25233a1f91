import { Menu } from '@mantine/core';
import { Fragment, useEffect } from 'react';
import { useStore } from 'zustand';
import { announce } from '#renderer/shell/announcer.ts';
import type { Command } from '#renderer/shell/command.ts';
import { closeMenu, menuPoint, menuStore, type OpenMenu, runFromMenu } from '#renderer/shell/menu-store.ts';
import { isMac } from '#renderer/shell/platform.ts';
import { isShortcut, isTextField, shortcutText } from '#renderer/shell/shortcut.ts';
import { KeyHint } from '#renderer/ui/controls/key-hint.tsx';
import styles from './context-menu.module.css';
import { studioCommands } from './studio-commands.ts';

/** The context menu of what was clicked, or has the focus: the commands that are for it, in their order. */
export function ContextMenu() {
  useMenuKey();
  const menu = useStore(menuStore, (state) => state.menu);
  return menu && <OpenContextMenu key={`${menu.place} ${menu.x} ${menu.y}`} menu={menu} />;
}

function OpenContextMenu({ menu: { place, label, x, y } }: { menu: OpenMenu }) {
  const commands = sections.flatMap((section) =>
    studioCommands.filter((command) => command.section === section && command.where?.includes(place)),
  );
  useFocusAgain();
  return (
    <Menu
      opened
      onClose={closeMenu}
      position="bottom-start"
      width="auto"
      shadow="md"
      offset={2}
      transitionProps={{ duration: 0 }}
      middlewares={{ flip: true, shift: { crossAxis: true, padding: 8 } }}
    >
      <Menu.Target>
        <span className={styles.anchor} style={{ left: x, top: y }} aria-hidden="true" />
      </Menu.Target>
      <Menu.Dropdown className={styles.menu ?? ''} aria-label={label} aria-labelledby={undefined}>
        {commands.map((command, index) => (
          <Fragment key={command.id}>
            {index > 0 && commands[index - 1]?.section !== command.section && <Menu.Divider />}
            <CommandItem command={command} />
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function CommandItem({ command }: { command: Command }) {
  const keys = command.keys?.[0] ?? command.hint;
  const why = command.whyNot?.() ?? null;
  // Not `disabled`: the keyboard reaches the item, and the reason with it.
  return (
    <Menu.Item
      className={styles.item ?? ''}
      aria-disabled={why !== null}
      {...(why !== null && { title: why, onFocus: () => announce(why), closeMenuOnClick: false })}
      {...(keys && { rightSection: <KeyHint keys={shortcutText(keys, isMac)} /> })}
      onClick={() => (why === null ? runFromMenu(command.run) : announce(why))}
    >
      {command.short ?? command.title}
    </Menu.Item>
  );
}

const sections: readonly Command['section'][] = ['Edit', 'View', 'Run', 'Debug', 'File', 'Help'];

/** Returns the focus to where it was when the menu opened, unless its command has moved it. */
function useFocusAgain(): void {
  useEffect(() => {
    const before = document.activeElement;
    return () => {
      requestAnimationFrame(() => {
        if (document.activeElement === document.body && before instanceof HTMLElement) before.focus({ preventScroll: true });
      });
    };
  }, []);
}

/** Shift+F10 and the menu key open the menu of what has the focus: as a right click on it would. */
function useMenuKey(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isMenuKey = event.key === 'ContextMenu' || isShortcut(event, 'Shift+F10');
      const target = document.activeElement;
      if (!isMenuKey || !target || isTextField(target) || event.defaultPrevented) return;
      const { x, y } = menuPoint({ clientX: 0, clientY: 0 }, target);
      const opens = new MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX: x, clientY: y });
      if (!target.dispatchEvent(opens)) event.preventDefault();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}
