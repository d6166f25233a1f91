import { describe, expect, it } from 'vitest';
import { isShortcut, shortcutText } from './shortcut.ts';

const press = (key: string, modifiers: { ctrl?: boolean; meta?: boolean; shift?: boolean; alt?: boolean; code?: string } = {}) => ({
  key,
  code: modifiers.code ?? (key.length === 1 ? `Key${key.toUpperCase()}` : key),
  ctrlKey: modifiers.ctrl ?? false,
  metaKey: modifiers.meta ?? false,
  shiftKey: modifiers.shift ?? false,
  altKey: modifiers.alt ?? false,
});

describe('isShortcut', () => {
  it('requires exactly the given modifiers', () => {
    expect(isShortcut(press('z', { ctrl: true }), 'Ctrl+Z')).toBe(true);
    expect(isShortcut(press('Z', { ctrl: true, shift: true }), 'Ctrl+Z')).toBe(false);
    expect(isShortcut(press('Z', { ctrl: true, shift: true }), 'Ctrl+Shift+Z')).toBe(true);
    expect(isShortcut(press('z', { ctrl: true, alt: true }), 'Ctrl+Z')).toBe(false);
    expect(isShortcut(press('F10'), 'F10')).toBe(true);
    expect(isShortcut(press('F10', { alt: true }), 'F10')).toBe(false);
  });

  it('accepts the command key as Ctrl on a Mac only', () => {
    expect(isShortcut(press('s', { meta: true }), 'Ctrl+S', true)).toBe(true);
    expect(isShortcut(press('s', { ctrl: true }), 'Ctrl+S', true)).toBe(false);
    expect(isShortcut(press('s', { meta: true }), 'Ctrl+S')).toBe(false);
  });

  it('matches digits with Shift by key and symbols by character', () => {
    expect(isShortcut(press('!', { shift: true, code: 'Digit1' }), 'Shift+1')).toBe(true);
    expect(isShortcut(press('?', { shift: true, code: 'Slash' }), '?')).toBe(true);
    expect(isShortcut(press('+', { ctrl: true, code: 'Equal', shift: true }), 'Ctrl++')).toBe(true);
  });

  it('matches letters that Alt turns into other characters', () => {
    expect(isShortcut(press('†', { shift: true, alt: true, code: 'KeyT' }), 'Shift+Alt+T')).toBe(true);
  });
});

describe('shortcutText', () => {
  it('uses Mac symbols on a Mac', () => {
    expect(shortcutText('Ctrl+Shift+P', true)).toBe('⌘⇧P');
    expect(shortcutText('Ctrl+Shift+P')).toBe('Ctrl+Shift+P');
  });

  it('shows arrow keys as arrows', () => {
    expect(shortcutText('Shift+Alt+ArrowLeft')).toBe('Shift+Alt+←');
    expect(shortcutText('Ctrl++')).toBe('Ctrl++');
  });
});
