/** The fields of a keyboard event that a shortcut depends on. */
export type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>;

/**
 * True when the key press is this shortcut, written `Ctrl+Shift+P`, `F5`, `?` or `Shift+1`. `Ctrl` is the command key
 * on a Mac. Letters match by the typed character, digits by their key, since Shift changes the character.
 */
export function isShortcut(press: KeyPress, shortcut: string, mac = false): boolean {
  const parts = shortcut.split('+').map((part) => (part === '' ? '+' : part));
  const key = parts.at(-1) ?? '';
  const wants = (modifier: string) => parts.slice(0, -1).includes(modifier);
  const ctrl = mac ? press.metaKey : press.ctrlKey;
  const other = mac ? press.ctrlKey : press.metaKey;
  if (wants('Ctrl') !== ctrl || other || wants('Alt') !== press.altKey) return false;
  if (/^[0-9]$/.test(key)) return press.code === `Digit${key}` && wants('Shift') === press.shiftKey;
  // Characters such as ? need Shift on some keyboards and not on others.
  const isSymbol = key.length === 1 && !/^[a-z]$/i.test(key);
  if (!isSymbol && wants('Shift') !== press.shiftKey) return false;
  return press.key.toLowerCase() === key.toLowerCase() || (press.altKey && press.code === `Key${key.toUpperCase()}`);
}

const arrows: Readonly<Record<string, string>> = { ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓' };
const macSymbols: Readonly<Record<string, string>> = { Ctrl: '⌘', Shift: '⇧', Alt: '⌥' };

/** A shortcut in the notation of the platform: `Ctrl+S`, on a Mac `⌘S`. */
export function shortcutText(shortcut: string, mac = false): string {
  const parts = shortcut.split('+').map((part) => arrows[part] ?? (mac ? macSymbols[part] : undefined) ?? part);
  return parts.join(mac ? '' : '+');
}

/** True if the target is a text field, where single letters are not shortcuts. */
export function isTextField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.closest('input, textarea, select, [contenteditable], .monaco-editor') !== null;
}
