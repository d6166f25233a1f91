import { useEffect } from 'react';
import { isMac } from './platform.ts';
import { isShortcut, isTextField } from './shortcut.ts';
import { studioCommands } from './studio-commands.ts';

/** Gives commands by their keys, wherever the focus is. The debugger hears its own keys itself. */
export function useCommandKeys(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return;
      const command = studioCommands.find(
        (candidate) => candidate.section !== 'Run' && candidate.keys?.some((keys) => isShortcut(event, keys, isMac)),
      );
      if (!command || (command.notInText && isTextField(event.target))) return;
      // A dialog has the keyboard to itself; only saving goes on behind it.
      if (document.querySelector('[role="dialog"]') && command.id !== 'save') return;
      event.preventDefault();
      command.run();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}
