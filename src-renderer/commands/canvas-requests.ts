/** What commands ask of the canvas, which alone knows its own zoom and place. */
export type CanvasRequest = 'fit' | 'fit_selection' | 'zoom_100' | 'zoom_in' | 'zoom_out' | 'tidy' | 'add' | 'focus';

const listeners = new Set<(request: CanvasRequest) => void>();

/** Asks the canvas shown, if there is one. */
export function askCanvas(request: CanvasRequest): void {
  for (const listener of listeners) listener(request);
}

/** Hears what is asked of the canvas. Answers the function that ends it. */
export function onCanvasRequest(listener: (request: CanvasRequest) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
