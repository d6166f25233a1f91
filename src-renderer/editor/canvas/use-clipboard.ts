import { type RefObject, useEffect } from 'react';
import { copySelection, pasteText } from '#renderer/editor/actions/clipboard-actions.ts';
import { isTextField } from '#renderer/shell/shortcut.ts';

/** Copies, cuts and pastes nodes through the system clipboard while no text field has the focus. */
export function useClipboard(frame: RefObject<HTMLDivElement | null>): void {
  useEffect(() => {
    const ours = (event: ClipboardEvent) => {
      if (isTextField(document.activeElement) || document.querySelector('[role="dialog"]')) return false;
      const focused = document.activeElement;
      const idle = focused === null || focused === document.body || frame.current?.contains(focused);
      // Selected text on the page is copied as text.
      return idle && (event.type === 'paste' || (document.getSelection()?.isCollapsed ?? true));
    };
    const onCopy = (event: ClipboardEvent) => {
      if (ours(event) && event.clipboardData && copySelection(event.clipboardData, event.type === 'cut')) event.preventDefault();
    };
    const onPaste = (event: ClipboardEvent) => {
      if (!ours(event) || !event.clipboardData) return;
      event.preventDefault();
      pasteText(event.clipboardData.getData('text/plain'));
    };
    document.addEventListener('copy', onCopy);
    document.addEventListener('cut', onCopy);
    document.addEventListener('paste', onPaste);
    return () => {
      document.removeEventListener('copy', onCopy);
      document.removeEventListener('cut', onCopy);
      document.removeEventListener('paste', onPaste);
    };
  }, [frame]);
}
