import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { BrowserWindow, Rectangle } from 'electron';
import { z } from 'zod';

const length = z.int().min(-100_000).max(100_000);

const windowStateSchema = z.object({
  bounds: z.object({ x: length, y: length, width: length, height: length }),
  maximized: z.boolean(),
});

/** Position and size of a window. */
export type WindowState = z.infer<typeof windowStateSchema>;

/** State of the first window. */
export const defaultSize = { width: 1280, height: 800 } as const;
const smallest = { width: 800, height: 600 } as const;

/** Reads the stored state; null if there is none or the window would be off all screens. */
export function readWindowState(file: string, screens: readonly Rectangle[]): WindowState | null {
  let state: WindowState;
  try {
    state = windowStateSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
  const { bounds } = state;
  if (bounds.width < smallest.width || bounds.height < smallest.height) return null;
  return screens.some((screen) => overlap(screen, bounds) >= 100 * 100) ? state : null;
}

function overlap(one: Rectangle, other: Rectangle): number {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return Math.max(0, width) * Math.max(0, height);
}

/** Saves a window's state whenever it closes. */
export function keepWindowState(window: BrowserWindow, file: string): void {
  window.on('close', () => {
    const state: WindowState = { bounds: window.getNormalBounds(), maximized: window.isMaximized() };
    try {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify(state));
    } catch {
      // Losing the position is not worth a message while closing.
    }
  });
}
