/** How a window gets its connection to the desktop host. */
export const windowBridge = {
  /** Name of the one thing that the preload adds to the page's `window`. */
  global: 'pravah',
  /** IPC channel on which the preload hands a port to the host. */
  channel: 'pravah:port',
  /** `data` of the message with which the page receives its end of the port. */
  portMessage: 'pravah:port',
} as const;

/** What the preload adds to the page: a function that asks for a new port. It comes as a `message` event from the window itself. */
export interface WindowBridge {
  requestPort(): void;
}
