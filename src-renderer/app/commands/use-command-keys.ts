import { useEffect } from 'react';
import { announce } from '#renderer/shell/announcer.ts';
import { runOrExplain } from '#renderer/shell/command.ts';
import { isMac } from '#renderer/shell/platform.ts';
import { isShortcut, isTextField } from '#renderer/shell/shortcut.ts';
import { studioCommands } from './studio-commands.ts';

/** Runs commands by their keys, wherever the focus is. The debugger handles its own keys. */
export function useCommandKeys(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return;
      const command = studioCommands.find(
        (candidate) => candidate.section !== 'Run' && candidate.keys?.some((keys) => isShortcut(event, keys, isMac)),
      );
      if (!command || (command.notInText && isTextField(event.target))) return;
      // An open dialog handles all keys except Save.
      if (document.querySelector('[role="dialog"]') && command.id !== 'save') return;
      event.preventDefault();
      runOrExplain(command, announce);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}
