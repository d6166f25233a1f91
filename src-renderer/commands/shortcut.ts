/** What of a keyboard event a shortcut looks at. */
export type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>;

/**
 * True when the key press is this shortcut, written `Ctrl+Shift+P`, `F5`, `?` or `Shift+1`. `Ctrl` is the command key
 * on a Mac. Letters are told by what they type; digits with Shift by their place, since there they type other signs.
 */
export function isShortcut(press: KeyPress, shortcut: string, mac = false): boolean {
  const parts = shortcut.split('+').map((part) => (part === '' ? '+' : part));
  const key = parts.at(-1) ?? '';
  const wants = (modifier: string) => parts.slice(0, -1).includes(modifier);
  const ctrl = mac ? press.metaKey : press.ctrlKey;
  const other = mac ? press.ctrlKey : press.metaKey;
  if (wants('Ctrl') !== ctrl || other || wants('Alt') !== press.altKey) return false;
  if (/^[0-9]$/.test(key)) return press.code === `Digit${key}` && wants('Shift') === press.shiftKey;
  // Signs such as ? need Shift on some keyboards and not on others.
  const isSign = key.length === 1 && !/^[a-z]$/i.test(key);
  if (!isSign && wants('Shift') !== press.shiftKey) return false;
  return press.key.toLowerCase() === key.toLowerCase() || (press.altKey && press.code === `Key${key.toUpperCase()}`);
}

const arrows: Readonly<Record<string, string>> = { ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓' };
const macSigns: Readonly<Record<string, string>> = { Ctrl: '⌘', Shift: '⇧', Alt: '⌥' };

/** A shortcut in the words of the platform: `Ctrl+S`, on a Mac `⌘S`. */
export function shortcutText(shortcut: string, mac = false): string {
  const parts = shortcut.split('+').map((part) => arrows[part] ?? (mac ? macSigns[part] : undefined) ?? part);
  return parts.join(mac ? '' : '+');
}

/** True where typing belongs to a text field, so that single letters are no shortcuts. */
export function isTextField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.closest('input, textarea, select, [contenteditable], .monaco-editor') !== null;
}
