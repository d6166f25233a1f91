/** True on a Mac, where the command key replaces Ctrl. */
export const isMac = navigator.platform.startsWith('Mac');
