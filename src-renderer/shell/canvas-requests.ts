/** Requests of commands to the canvas, which owns its viewport. */
export type CanvasRequest = 'fit' | 'fit_selection' | 'zoom_100' | 'zoom_in' | 'zoom_out' | 'tidy' | 'add' | 'note' | 'focus';

const listeners = new Set<(request: CanvasRequest) => void>();

/** Sends a request to the canvas, if one is mounted. */
export function askCanvas(request: CanvasRequest): void {
  for (const listener of listeners) listener(request);
}

/** Listens to requests to the canvas. Returns the function that unsubscribes. */
export function onCanvasRequest(listener: (request: CanvasRequest) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
