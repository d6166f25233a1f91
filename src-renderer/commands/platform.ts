/** True on a Mac, whose command key stands for Ctrl. */
export const isMac = navigator.platform.startsWith('Mac');
